/* The discovery table: what the device is made of. Readable in BAR0 at BOOT.DISCOVERY_OFFSET and in device memory at address
 * 0. The driver takes every place and number from here. C11.
 *
 * Layout: the header, then `blocks` block records, then `regions` memory regions, at the offsets that the header gives.
 */
#ifndef CASTOR_GPU_ABI_DISCOVERY_H
#define CASTOR_GPU_ABI_DISCOVERY_H

#include <stdint.h>

#define CASTOR_DISCOVERY_MAGIC 0x59524344u /* "DCRY" */
#define CASTOR_DISCOVERY_VERSION 1u

#define CASTOR_MAX_DIES 8

struct castor_discovery_header {
  uint32_t magic;
  uint16_t version;      /* CASTOR_DISCOVERY_VERSION */
  uint16_t header_bytes; /* of this header */
  uint32_t table_bytes;  /* of everything */
  uint32_t crc;          /* CRC32C of the table with this word zero */
  uint32_t firmware_abi; /* CASTOR_MESSAGE_VERSION (message.h) that the firmware must speak */
  uint32_t dies;
  uint32_t blocks, blocks_offset;
  uint32_t regions, regions_offset;
  uint32_t sms;            /* in the device, harvested ones not counted */
  uint32_t warp_slots;     /* of one SM */
  uint32_t cta_slots;      /* of one SM */
  uint32_t shared_per_sm;  /* bytes */
  uint32_t shared_per_cta; /* largest shared memory of one CTA, bytes */
  uint32_t registers_per_sm;
  uint32_t l2_bytes;  /* all dies */
  uint32_t clock_khz; /* of the SMs */
  uint32_t memory_clock_khz;
  uint32_t memory_bus_bits; /* all stacks */
  uint32_t contexts;        /* PASIDs 0 … contexts-1; PASID n has doorbell page n */
  uint32_t queues;
  uint32_t vectors;      /* MSI-X vectors = interrupt sources */
  uint32_t local_bytes;  /* largest local memory of one thread */
  uint64_t memory_bytes; /* device memory, all dies */
  uint64_t serial;
  uint64_t sm_harvest[CASTOR_MAX_DIES]; /* bit n: SM n of the die is fused off */
  char name[64];                        /* what cudaGetDeviceProperties reports; NUL-terminated */
};

/* Rows of registers/blocks.inc. */
enum castor_block_type {
#define BLOCK(name, folder, type, version, bytes, doc) CASTOR_BLOCK_##name = type,
#include "gpu/abi/registers/blocks.inc"
#undef BLOCK
};

struct castor_discovery_block {
  uint16_t type; /* enum castor_block_type */
  uint16_t version;
  uint16_t instance; /* counts from 0 within a type */
  uint16_t die;      /* where it is; CASTOR_DISCOVERY_PACKAGE: not on one die */
  uint32_t base;     /* BAR0 offset */
  uint32_t bytes;
  uint16_t first_vector; /* interrupt sources of the block */
  uint16_t vectors;
  uint32_t reserved;
};
#define CASTOR_DISCOVERY_PACKAGE 0xffffu

enum castor_region_kind {
  CASTOR_REGION_USABLE = 1,   /* the driver's to allocate from */
  CASTOR_REGION_FIRMWARE = 2, /* discovery table, context table, the firmware's own */
  CASTOR_REGION_RETIRED = 3,  /* bad pages */
};

struct castor_discovery_region {
  uint64_t base; /* device address */
  uint64_t bytes;
  uint32_t kind; /* enum castor_region_kind */
  uint32_t die;  /* CASTOR_DISCOVERY_PACKAGE: interleaved over all dies */
};

/* Fixed interrupt sources. */
enum castor_vector {
  CASTOR_VECTOR_MESSAGE = 0,     /* the firmware has written the status ring */
  CASTOR_VECTOR_FATAL_FAULT = 1, /* a record in the fatal ring */
  CASTOR_VECTOR_REPLAY_FAULT = 2,
  CASTOR_VECTOR_DEVICE = 3,      /* the firmware hart failed, or an access hit a hole */
  CASTOR_VECTOR_FIRST_QUEUE = 4, /* from here on for queues */
};

#endif
