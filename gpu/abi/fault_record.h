/* What the device writes into a fault ring, 64 bytes each. C11. */
#ifndef CASTOR_GPU_ABI_FAULT_RECORD_H
#define CASTOR_GPU_ABI_FAULT_RECORD_H

#include <stdint.h>

enum castor_fault_engine { CASTOR_FAULT_SM = 0, CASTOR_FAULT_COPY = 1, CASTOR_FAULT_HOST = 2 };

/* `detail` of cause invalid_packet. */
enum castor_packet_problem {
  CASTOR_PACKET_BAD_TYPE = 1,   /* unknown type or flag */
  CASTOR_PACKET_BAD_GRID = 2,   /* a dimension of grid or block is zero or too large */
  CASTOR_PACKET_BAD_KERNEL = 3, /* `kernel` is not a kernel descriptor, or is misaligned */
  CASTOR_PACKET_BAD_SHARED = 4, /* more shared memory than a CTA can have */
  CASTOR_PACKET_BAD_LOCAL = 5,  /* more local memory than a thread can have, or less than the kernel needs */
  CASTOR_PACKET_BAD_COPY = 6,   /* element size, rows or bytes */
  CASTOR_PACKET_TOO_LARGE = 7,  /* a cooperative grid that cannot be resident at once */
  CASTOR_PACKET_BAD_PUT = 8,    /* PUT is more than the ring's entries ahead of GET */
};

/* `detail` of cause trap: the code that castor.trap was given. */
enum castor_trap_code {
  CASTOR_TRAP_PLAIN = 0,  /* __trap() and what the compiler puts where code must not come */
  CASTOR_TRAP_ASSERT = 1, /* assert() failed */
};

struct castor_fault_record {
  uint8_t cause;    /* castor::FaultCause (platform/core/fault.h) */
  uint8_t access;   /* castor::Access */
  uint8_t size;     /* bytes of the access */
  uint8_t engine;   /* enum castor_fault_engine */
  uint16_t context; /* PASID */
  uint16_t queue;   /* queue number within the device */
  uint64_t address; /* virtual address accessed */
  uint64_t pc;      /* of the faulting instruction, not retired */
  uint32_t lanes;   /* lanes of the warp with this fault */
  uint16_t sm;      /* SM number in the device */
  uint8_t die;
  uint8_t warp;       /* warp number in the CTA */
  uint32_t block[3];  /* CTA index in the grid */
  uint16_t thread[3]; /* thread index of the lowest faulting lane */
  uint16_t detail;    /* trap code, barrier id */
  uint64_t kernel;    /* address of the kernel's descriptor */
};

#endif
