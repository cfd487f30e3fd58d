/* User queues: a ring of 64-byte packets in memory that both sides reach, GET/PUT in a user page, a doorbell. C11. */
#ifndef CASTOR_GPU_ABI_PACKET_H
#define CASTOR_GPU_ABI_PACKET_H

#include <stdint.h>

#define CASTOR_PACKET_BYTES 64u

/* Header word: type in bits 7..0, then the flags. A queue executes its packets in order; a packet with BARRIER starts
 * only after all earlier ones have completed (without it, a copy may overlap an earlier dispatch). */
enum castor_packet_type {
  CASTOR_PACKET_NOP = 0,
  CASTOR_PACKET_DISPATCH = 1,
  CASTOR_PACKET_COPY = 2,
  CASTOR_PACKET_FILL = 3,
  CASTOR_PACKET_SEMAPHORE_WAIT = 4,   /* until *address >= value (unsigned 64-bit) */
  CASTOR_PACKET_SEMAPHORE_SIGNAL = 5, /* *address = value, after all earlier packets */
  CASTOR_PACKET_TIMESTAMP = 6,        /* *address = device time in ns, after all earlier packets */
  CASTOR_PACKET_FENCE = 7,
};
#define CASTOR_PACKET_TYPE(header) ((header) & 0xffu)
#define CASTOR_PACKET_BARRIER 0x100u
#define CASTOR_PACKET_INTERRUPT 0x200u      /* raise the queue's MSI-X vector when this packet has completed */
#define CASTOR_PACKET_ACQUIRE_SYSTEM 0x400u /* see the host's earlier writes */
#define CASTOR_PACKET_RELEASE_SYSTEM 0x800u /* let the host see the packet's writes before its signal */
#define CASTOR_PACKET_COOPERATIVE 0x1000u   /* dispatch: all CTAs resident at once */

/* All addresses in packets are virtual, in the queue's context. `signal` may be 0: no completion write. */
struct castor_packet_dispatch {
  uint32_t header;
  uint16_t block[3]; /* threads, each 1..1024, product 1..1024 */
  uint16_t reserved;
  uint32_t grid[3];        /* CTAs, each at least 1 */
  uint32_t shared_dynamic; /* bytes */
  uint32_t local_bytes;    /* stack of a thread; at least what the kernel's descriptor says */
  uint64_t kernel;         /* struct castor_kernel_desc */
  uint64_t params;         /* parameter block, becomes a0 */
  uint64_t signal;         /* 64-bit completion word, written with signal_value */
  uint64_t signal_value;
};

struct castor_packet_copy {
  uint32_t header;
  uint32_t rows; /* 1 for a plain copy */
  uint64_t source;
  uint64_t destination;
  uint64_t row_bytes;
  uint64_t source_pitch; /* bytes from row to row */
  uint64_t destination_pitch;
  uint64_t signal;
  uint64_t signal_value;
};

struct castor_packet_fill {
  uint32_t header;
  uint32_t element_bytes; /* 1, 2 or 4 */
  uint64_t destination;
  uint64_t row_bytes; /* a multiple of element_bytes */
  uint64_t pitch;
  uint32_t rows;
  uint32_t value;
  uint64_t reserved;
  uint64_t signal;
  uint64_t signal_value;
};

struct castor_packet_semaphore { /* wait, signal, timestamp, fence, nop */
  uint32_t header;
  uint32_t reserved;
  uint64_t address;
  uint64_t value;
  uint64_t reserved2[3];
  uint64_t signal;
  uint64_t signal_value;
};

/* The user page of a queue (in host memory): indices count packets, never wrap; slot = index mod ring entries. */
struct castor_queue_page {
  uint64_t put;   /* written by the driver after the packets, before the doorbell */
  uint64_t get;   /* written by the device: packets below it have been fetched */
  uint64_t error; /* written by the device: 0, or the FaultCause that stopped the context */
};

/* Doorbell: a 32-bit write of the queue's token at offset CASTOR_DOORBELL_OFFSET of the context's page in BAR2;
 * the page's 64-bit device time in ns is readable at CASTOR_DOORBELL_TIME. */
#define CASTOR_DOORBELL_PAGE 0x10000u
#define CASTOR_DOORBELL_OFFSET 0x90u
#define CASTOR_DOORBELL_TIME 0x80u

#endif
