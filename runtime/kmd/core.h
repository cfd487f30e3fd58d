/* Inside the driver: what its files share. */
#ifndef CASTOR_RUNTIME_KMD_CORE_H
#define CASTOR_RUNTIME_KMD_CORE_H

#include "gpu/abi/gsp.h"
#include "gpu/abi/message.h"
#include "gpu/abi/packet.h"
#include "gpu/abi/page_table.h"
#include "gpu/abi/registers.h"
#include "runtime/kmd/kmd.h"

/* ---- text.c ---------------------------------------------------------------------------------------------------------- */

/* Formats %s, %d, %u, %x (32 bits) and %l (64 bits, hexadecimal) and hands the line to the port. */
void castor_kmd_say(const struct castor_kmd_port* port, enum castor_kmd_log_level level, const char* format, ...);
uint32_t castor_kmd_crc32c(const void* data, size_t bytes);
void castor_kmd_copy(void* to, const void* from, size_t bytes);
void castor_kmd_zero(void* to, size_t bytes);

/* ---- range.c: free ranges of an address space, sorted and merged ------------------------------------------------------ */

struct castor_range {
  uint64_t base, bytes;
  struct castor_range* next;
};
struct castor_range_pool {
  const struct castor_kmd_port* port;
  struct castor_range* first;
  struct castor_range* spare; /* nodes for later: giving back what was just taken never needs memory */
  uint64_t free_bytes;
};
enum castor_range_end { CASTOR_RANGE_LOW, CASTOR_RANGE_HIGH };
void castor_range_init(struct castor_range_pool* pool, const struct castor_kmd_port* port);
void castor_range_drop(struct castor_range_pool* pool);
/* Takes `bytes` aligned to `align` from the low or the high end; false: there is no such range. */
bool castor_range_take(struct castor_range_pool* pool, uint64_t bytes, uint64_t align, enum castor_range_end end,
                       uint64_t* base);
/* Gives a range back (or adds a new one); false: out of host memory, the range is lost, which is logged. */
bool castor_range_give(struct castor_range_pool* pool, uint64_t base, uint64_t bytes);

/* ---- the device -------------------------------------------------------------------------------------------------------- */

struct castor_dma {
  void* cpu;
  uint64_t bus;
  size_t bytes;
};

struct castor_ring {
  struct castor_dma memory;
  struct castor_message_ring* head;
  struct castor_message* slots;
  uint32_t entries;
};

struct castor_kmd {
  const struct castor_kmd_port* port;
  struct castor_kmd_function function;
  uint64_t bar0, bar2, bar4; /* cookies */
  struct castor_discovery_header discovery;
  uint8_t* table;          /* the whole discovery table */
  uint32_t gsp, mmu, intr; /* BAR0 offsets of the blocks */
  bool emulated;
  bool lost;
  struct castor_range_pool memory;
  uint64_t memory_total;
  uint32_t vectors; /* in use, at most 64 */
  struct castor_ring command, status;
  uint32_t sequence;
  struct castor_message answer; /* the last answer taken from the status ring */
  bool answered;
  struct castor_dma faults;
  uint32_t fault_entries;
  struct castor_dma gsp_log;
  uint64_t gsp_log_read;
  struct castor_kmd_context** contexts; /* by PASID */
};

static inline uint32_t castor_kmd_read(struct castor_kmd* kmd, uint32_t offset) {
  return kmd->port->mmio_read32(kmd->port->env, kmd->bar0 + offset);
}
static inline void castor_kmd_write(struct castor_kmd* kmd, uint32_t offset, uint32_t value) {
  kmd->port->mmio_write32(kmd->port->env, kmd->bar0 + offset, value);
}
static inline void castor_kmd_write_pair(struct castor_kmd* kmd, uint32_t low_offset, uint64_t value) {
  castor_kmd_write(kmd, low_offset, (uint32_t)value);
  castor_kmd_write(kmd, low_offset + 4, (uint32_t)(value >> 32));
}
int castor_dma_take(const struct castor_kmd_port* port, size_t bytes, struct castor_dma* memory);
void castor_dma_drop(const struct castor_kmd_port* port, struct castor_dma* memory);
/* Time limit in ns for something that takes `milliseconds` on silicon. */
uint64_t castor_kmd_limit(const struct castor_kmd* kmd, uint32_t milliseconds);
void castor_kmd_lose(struct castor_kmd* kmd, const char* why);

/* ---- discovery.c, boot.c, message.c, fault.c ------------------------------------------------------------------------------ */

int castor_kmd_discover(struct castor_kmd* kmd);
int castor_kmd_interrupts_on(struct castor_kmd* kmd);
int castor_kmd_boot(struct castor_kmd* kmd, const void* image, size_t bytes);
void castor_kmd_log_drain(struct castor_kmd* kmd);
int castor_kmd_rings(struct castor_kmd* kmd);
/* Sends a message and waits for its answer; `results`, if given, takes the answer's six words. */
int castor_kmd_message(struct castor_kmd* kmd, uint16_t function, const uint64_t* args, uint32_t count,
                       uint64_t* results);
void castor_kmd_status_drain(struct castor_kmd* kmd);
int castor_kmd_fault_rings(struct castor_kmd* kmd);
void castor_kmd_fault_drain(struct castor_kmd* kmd);

/* ---- page_table.c ------------------------------------------------------------------------------------------------------------ */

struct castor_table {
  uint64_t device;                                  /* address in device memory */
  uint32_t live;                                    /* valid entries */
  uint64_t entries[CASTOR_PT_ENTRIES];              /* what the device sees */
  struct castor_table* children[CASTOR_PT_ENTRIES]; /* the table below, where an entry points to one */
};
struct castor_page_tables {
  struct castor_kmd* kmd;
  struct castor_table* root;
};
int castor_pt_init(struct castor_page_tables* tables, struct castor_kmd* kmd);
void castor_pt_drop(struct castor_page_tables* tables);
/* Maps [va, va + bytes) to `target`, with the largest pages that alignment allows. Large pages that it cuts must have been split. */
int castor_pt_map(struct castor_page_tables* tables, uint64_t va, uint64_t target, uint64_t bytes,
                  enum castor_aperture aperture, uint32_t access);
void castor_pt_unmap(struct castor_page_tables* tables, uint64_t va, uint64_t bytes);
/* Makes `va` the border of a page. */
int castor_pt_split(struct castor_page_tables* tables, uint64_t va);

/* ---- contexts ----------------------------------------------------------------------------------------------------------------- */

struct castor_extent {
  uint64_t device, bytes;
  struct castor_extent* next;
};
struct castor_allocation {
  uint64_t va, bytes;
  uint64_t reserved; /* bytes of address space, with the guard; 0 for host memory */
  uint32_t access;
  struct castor_extent* extents; /* device memory */
  uint64_t pin;                  /* host memory */
};
struct castor_queue {
  uint32_t number;
  struct castor_queue* next;
};
struct castor_kmd_context {
  struct castor_kmd* kmd;
  uint32_t pasid;
  uint32_t vector;
  struct castor_page_tables tables;
  struct castor_range_pool addresses;
  struct castor_allocation** allocations; /* sorted by address */
  uint32_t allocation_count, allocation_room;
  struct castor_queue* queues;
  bool faulted;
  struct castor_fault_record fault;
};

#endif
