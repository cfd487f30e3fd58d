/* Control messages between the kernel-mode driver and the GSP firmware: two rings in host memory. C11.
 *
 * The driver writes elements at the command ring's write index and rings the GSP doorbell register; the firmware answers
 * each in the status ring with the same sequence number. Indices count elements, never wrap; slot = index mod ring entries.
 * crc is CRC32C (Castagnoli) over the element with crc = 0.
 */
#ifndef CASTOR_GPU_ABI_MESSAGE_H
#define CASTOR_GPU_ABI_MESSAGE_H

#include <stdint.h>

#define CASTOR_MESSAGE_BYTES 64u
#define CASTOR_MESSAGE_VERSION 1u

enum castor_message_function {
  CASTOR_MSG_PING = 0,            /* args echoed */
  CASTOR_MSG_CONTEXT_CREATE = 1,  /* in: pasid, root table DevAddr */
  CASTOR_MSG_CONTEXT_DESTROY = 2, /* in: pasid; when answered, nothing of the context runs any more */
  CASTOR_MSG_QUEUE_CREATE = 3,    /* in: pasid, ring VA, entries, queue page VA, vector; out: queue number (doorbell) */
  CASTOR_MSG_QUEUE_DESTROY = 4,   /* in: queue number */
  CASTOR_MSG_TLB_INVALIDATE = 5,  /* in: pasid, VA, bytes (0 = all); answered when no engine holds an old translation */
  CASTOR_MSG_CONTEXT_RESET = 6,   /* in: pasid: stop and discard all work after a fault */
  CASTOR_MSG_TELEMETRY = 7,       /* out: clock kHz, temperature m°C, power mW */
  CASTOR_MSG_EVENT_LOG = 0x100,   /* status ring only, unsolicited: text of the firmware's log */
  CASTOR_MSG_EVENT_FAULT = 0x101, /* status ring only, unsolicited: args = pasid, fault ring index */
};

struct castor_message {
  uint32_t sequence;
  uint16_t version;  /* CASTOR_MESSAGE_VERSION */
  uint16_t function; /* enum castor_message_function */
  int32_t status;    /* in an answer: 0, or a negative CASTOR_MSG_E… */
  uint32_t crc;
  uint64_t args[6];
};

#define CASTOR_MSG_EINVAL (-1)
#define CASTOR_MSG_ENOSPC (-2)
#define CASTOR_MSG_ENOENT (-3)
#define CASTOR_MSG_ENOSYS (-4)
#define CASTOR_MSG_ECRC (-5)

/* First words of each ring's page; the elements follow at CASTOR_RING_ELEMENTS. */
struct castor_message_ring {
  uint64_t write;   /* by the producer */
  uint64_t read;    /* by the consumer */
  uint32_t entries; /* power of two */
  uint32_t reserved;
};
#define CASTOR_RING_ELEMENTS 64u

#endif
