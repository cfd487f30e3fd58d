/* The firmware's view of the GPU's registers: volatile words at the hart addresses of gsp.h. */
#ifndef CASTOR_GPU_FIRMWARE_HARDWARE_H
#define CASTOR_GPU_FIRMWARE_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/abi/discovery.h"
#include "gpu/abi/gsp.h"
#include "gpu/abi/registers.h"

static inline uint32_t load32(uint64_t address) { return *(volatile uint32_t*)address; }
static inline void store32(uint64_t address, uint32_t value) { *(volatile uint32_t*)address = value; }

static inline uint32_t local_read(uint32_t offset) { return load32(CASTOR_GSP_LOCAL + offset); }
static inline void local_write(uint32_t offset, uint32_t value) { store32(CASTOR_GSP_LOCAL + offset, value); }

static inline uint32_t bar0_read(uint32_t offset) { return load32(CASTOR_GSP_BAR0 + offset); }
static inline void bar0_write(uint32_t offset, uint32_t value) { store32(CASTOR_GSP_BAR0 + offset, value); }
static inline uint64_t bar0_read_pair(uint32_t offset) {
  return bar0_read(offset) | (uint64_t)bar0_read(offset + 4) << 32;
}
static inline void bar0_write_pair(uint32_t offset, uint64_t value) {
  bar0_write(offset, (uint32_t)value);
  bar0_write(offset + 4, (uint32_t)(value >> 32));
}

/* Moves up to 4096 bytes between SRAM and host memory. */
static inline bool dma(uint64_t bus, void* local, uint32_t bytes, bool to_host) {
  __asm__ volatile("" ::: "memory");
  local_write(CASTOR_GSP_LOCAL_DMA_BUS_LO, (uint32_t)bus);
  local_write(CASTOR_GSP_LOCAL_DMA_BUS_HI, (uint32_t)(bus >> 32));
  local_write(CASTOR_GSP_LOCAL_DMA_LOCAL, (uint32_t)(uintptr_t)local);
  local_write(CASTOR_GSP_LOCAL_DMA_BYTES, bytes);
  local_write(CASTOR_GSP_LOCAL_DMA_START, CASTOR_FIELD_PUT(to_host, CASTOR_GSP_LOCAL_DMA_START_TO_HOST));
  __asm__ volatile("" ::: "memory");
  return local_read(CASTOR_GSP_LOCAL_DMA_STATUS) == 0;
}

static inline uint32_t crc32c(const void* local, uint32_t bytes) {
  __asm__ volatile("" ::: "memory");
  local_write(CASTOR_GSP_LOCAL_CRC_VALUE, 0xffffffffu);
  local_write(CASTOR_GSP_LOCAL_CRC_LOCAL, (uint32_t)(uintptr_t)local);
  local_write(CASTOR_GSP_LOCAL_CRC_BYTES, bytes);
  return ~local_read(CASTOR_GSP_LOCAL_CRC_VALUE);
}

/* BAR0 offset of the first block of a type, from the discovery table; 0 if there is none. */
static inline uint32_t find_block(uint32_t type) {
  const uint32_t table = bar0_read(CASTOR_BOOT_BASE + CASTOR_BOOT_DISCOVERY_OFFSET);
  const uint32_t count = bar0_read(table + offsetof(struct castor_discovery_header, blocks));
  uint32_t at = table + bar0_read(table + offsetof(struct castor_discovery_header, blocks_offset));
  for (uint32_t i = 0; i < count; ++i, at += sizeof(struct castor_discovery_block)) {
    if ((bar0_read(at) & 0xffffu) == type) return bar0_read(at + offsetof(struct castor_discovery_block, base));
  }
  return 0;
}

static inline uint32_t discovery_word(size_t offset) {
  return bar0_read(bar0_read(CASTOR_BOOT_BASE + CASTOR_BOOT_DISCOVERY_OFFSET) + (uint32_t)offset);
}

static inline void enter_state(uint32_t gsp, uint32_t state) {
  bar0_write(gsp + CASTOR_GSP_STATUS, CASTOR_FIELD_PUT(state, CASTOR_GSP_STATUS_STATE));
}

static inline _Noreturn void fail(uint32_t gsp, uint32_t failure, uint64_t info) {
  bar0_write_pair(gsp + CASTOR_GSP_FAILURE_INFO_LO, info);
  bar0_write(gsp + CASTOR_GSP_READY, 0);
  bar0_write(gsp + CASTOR_GSP_STATUS, CASTOR_FIELD_PUT(CASTOR_GSP_STATE_FAILED, CASTOR_GSP_STATUS_STATE) |
                                          CASTOR_FIELD_PUT(failure, CASTOR_GSP_STATUS_FAILURE));
  local_write(CASTOR_GSP_LOCAL_IRQ_ENABLE, 0);
  for (;;) __asm__ volatile("wfi");
}

#endif
