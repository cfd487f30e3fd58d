/* Opening and closing a device. */
#include "cxl/abi/config_space.h"
#include "runtime/kmd/core.h"

int castor_dma_take(const struct castor_kmd_port* port, size_t bytes, struct castor_dma* memory) {
  memory->bytes = (bytes + CASTOR_PAGE_4K - 1) & ~(size_t)(CASTOR_PAGE_4K - 1);
  memory->cpu = port->dma_alloc(port->env, memory->bytes, &memory->bus);
  return memory->cpu == NULL ? CASTOR_KMD_ENOMEM : 0;
}

void castor_dma_drop(const struct castor_kmd_port* port, struct castor_dma* memory) {
  if (memory->cpu != NULL) port->dma_free(port->env, memory->cpu, memory->bytes, memory->bus);
  castor_kmd_zero(memory, sizeof *memory);
}

/* An emulated device runs some orders of magnitude slower than silicon. */
uint64_t castor_kmd_limit(const struct castor_kmd* kmd, uint32_t milliseconds) {
  return (uint64_t)milliseconds * 1000000u * (kmd->emulated ? 100u : 1u);
}

void castor_kmd_lose(struct castor_kmd* kmd, const char* why) {
  if (kmd->lost) return;
  kmd->lost = true;
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_ERROR, "the device is lost: %s", why);
  kmd->port->notify(kmd->port->env, CASTOR_KMD_NOTICE_LOST, 0);
}

static int map_bars(struct castor_kmd* kmd) {
  const struct castor_kmd_port* port = kmd->port;
  const struct castor_kmd_bar* bars = kmd->function.bars;
  if (bars[0].bytes < CASTOR_BAR0_BYTES || bars[2].bytes == 0 || bars[4].bytes == 0) return CASTOR_KMD_ENOENT;
  int error = port->mmio_map(port->env, bars[0].bus, bars[0].bytes, &kmd->bar0);
  if (error == 0) error = port->mmio_map(port->env, bars[2].bus, bars[2].bytes, &kmd->bar2);
  if (error == 0) error = port->mmio_map(port->env, bars[4].bus, bars[4].bytes, &kmd->bar4);
  return error;
}

static uint32_t config(const struct castor_kmd* kmd, uint32_t offset, uint32_t bytes) {
  return kmd->port->config_read(kmd->port->env, kmd->function.bdf, offset, bytes);
}

/* Offset of a capability, 0 if there is none; a list that loops ends after 48 steps. */
static uint32_t find_capability(const struct castor_kmd* kmd, uint32_t id) {
  uint32_t offset = config(kmd, CASTOR_PCI_HEADER_CAPABILITIES, 1) & 0xfcu;
  for (int steps = 0; offset >= 0x40 && steps < 48; ++steps) {
    if (config(kmd, offset + CASTOR_PCI_CAP_ID, 1) == id) return offset;
    offset = config(kmd, offset + CASTOR_PCI_CAP_NEXT, 1) & 0xfcu;
  }
  return 0;
}

static uint64_t cookie_of_bar(const struct castor_kmd* kmd, uint32_t bar) {
  return bar == 0 ? kmd->bar0 : bar == 2 ? kmd->bar2 : bar == 4 ? kmd->bar4 : 0;
}

static int fill_msix_table(struct castor_kmd* kmd, uint64_t table) {
  const struct castor_kmd_port* port = kmd->port;
  for (uint32_t i = 0; i < kmd->vectors; ++i) {
    uint64_t address;
    uint32_t data;
    const int error = port->msi_message(port->env, i, &address, &data);
    if (error != 0) return error;
    const uint64_t entry = table + i * sizeof(struct castor_msix_entry);
    port->mmio_write32(port->env, entry, (uint32_t)address);
    port->mmio_write32(port->env, entry + 4, (uint32_t)(address >> 32));
    port->mmio_write32(port->env, entry + 8, data);
    port->mmio_write32(port->env, entry + 12, 0);
  }
  return 0;
}

int castor_kmd_interrupts_on(struct castor_kmd* kmd) {
  const struct castor_kmd_port* port = kmd->port;
  const uint32_t msix = find_capability(kmd, CASTOR_PCI_CAP_MSIX);
  if (msix == 0) {
    castor_kmd_say(port, CASTOR_KMD_LOG_ERROR, "the device has no MSI-X capability");
    return CASTOR_KMD_EIO;
  }
  const uint32_t control = config(kmd, msix + CASTOR_PCI_MSIX_CONTROL, 2);
  const uint32_t offered = CASTOR_CFG_GET(control, CASTOR_PCI_MSIX_CONTROL_SIZE) + 1;
  const uint32_t wanted = kmd->discovery.vectors < 64 ? kmd->discovery.vectors : 64;
  kmd->vectors = offered < wanted ? offered : wanted;
  if (kmd->vectors <= CASTOR_VECTOR_FIRST_QUEUE) return CASTOR_KMD_EIO;
  const uint32_t where = config(kmd, msix + CASTOR_PCI_MSIX_TABLE, 4);
  const uint64_t bar = cookie_of_bar(kmd, where & 7u);
  if (bar == 0 ||
      (where & ~7u) + kmd->vectors * sizeof(struct castor_msix_entry) > kmd->function.bars[where & 7u].bytes) {
    castor_kmd_say(port, CASTOR_KMD_LOG_ERROR, "the MSI-X table lies in no BAR");
    return CASTOR_KMD_EIO;
  }
  const int error = fill_msix_table(kmd, bar + (where & ~7u));
  if (error != 0) return error;
  port->config_write(port->env, kmd->function.bdf, msix + CASTOR_PCI_MSIX_CONTROL, 2,
                     CASTOR_CFG_MASK(CASTOR_PCI_MSIX_CONTROL_ENABLE));
  const uint64_t mask = castor_kmd_interrupt_mask(kmd);
  castor_kmd_write(kmd, kmd->intr + CASTOR_INTR_LEAF0_ENABLE_SET, (uint32_t)mask);
  if (kmd->vectors > 32) castor_kmd_write(kmd, kmd->intr + CASTOR_INTR_LEAF1_ENABLE_SET, (uint32_t)(mask >> 32));
  castor_kmd_write(kmd, kmd->intr + CASTOR_INTR_TOP_ENABLE_SET, kmd->vectors > 32 ? 3u : 1u);
  return 0;
}

uint64_t castor_kmd_interrupt_mask(const struct castor_kmd* kmd) {
  return kmd->vectors >= 64 ? ~0ull : (1ull << kmd->vectors) - 1;
}

static int bring_up(struct castor_kmd* kmd, const void* firmware, size_t firmware_bytes) {
  int error = map_bars(kmd);
  if (error == 0) error = castor_kmd_discover(kmd);
  if (error != 0) return error;
  const size_t bytes = kmd->discovery.contexts * sizeof(struct castor_kmd_context*);
  kmd->contexts = kmd->port->alloc(kmd->port->env, bytes);
  if (kmd->contexts == NULL) return CASTOR_KMD_ENOMEM;
  error = castor_kmd_interrupts_on(kmd);
  if (error == 0) error = castor_kmd_rings(kmd);
  if (error == 0) error = castor_kmd_fault_rings(kmd);
  if (error == 0) error = castor_kmd_boot(kmd, firmware, firmware_bytes);
  if (error == 0) error = castor_kmd_ping(kmd);
  return error;
}

int castor_kmd_open(const struct castor_kmd_port* port, const struct castor_kmd_function* function,
                    const void* firmware, size_t firmware_bytes, struct castor_kmd** kmd) {
  struct castor_kmd* device = port->alloc(port->env, sizeof *device);
  if (device == NULL) return CASTOR_KMD_ENOMEM;
  device->port = port;
  device->function = *function;
  castor_range_init(&device->memory, port);
  const int error = bring_up(device, firmware, firmware_bytes);
  if (error != 0) {
    castor_kmd_say(port, CASTOR_KMD_LOG_ERROR, "the GPU at %x does not come up: %s", (unsigned)function->bdf,
                   castor_kmd_error_text(error));
    device->lost = true; /* nothing more is asked of it */
    castor_kmd_close(device);
    return error;
  }
  castor_kmd_say(port, CASTOR_KMD_LOG_INFO, "%s: %u SMs on %u dies, 0x%l bytes of memory", device->discovery.name,
                 device->discovery.sms, device->discovery.dies, device->memory_total);
  *kmd = device;
  return 0;
}

void castor_kmd_close(struct castor_kmd* kmd) {
  const struct castor_kmd_port* port = kmd->port;
  for (uint32_t i = 0; kmd->contexts != NULL && i < kmd->discovery.contexts; ++i) {
    if (kmd->contexts[i] != NULL) castor_kmd_context_destroy(kmd->contexts[i]);
  }
  if (kmd->gsp != 0) castor_kmd_write(kmd, kmd->gsp + CASTOR_GSP_CTRL, 0);
  if (kmd->mmu != 0) castor_kmd_write(kmd, kmd->mmu + CASTOR_MMU_FATAL_ENTRIES, 0);
  castor_dma_drop(port, &kmd->command.memory);
  castor_dma_drop(port, &kmd->status.memory);
  castor_dma_drop(port, &kmd->faults);
  castor_dma_drop(port, &kmd->gsp_log);
  castor_range_drop(&kmd->memory);
  if (kmd->contexts != NULL) {
    port->free(port->env, kmd->contexts, kmd->discovery.contexts * sizeof(struct castor_kmd_context*));
  }
  if (kmd->table != NULL) port->free(port->env, kmd->table, kmd->discovery.table_bytes);
  if (kmd->bar0 != 0) port->mmio_unmap(port->env, kmd->bar0, kmd->function.bars[0].bytes);
  if (kmd->bar2 != 0) port->mmio_unmap(port->env, kmd->bar2, kmd->function.bars[2].bytes);
  if (kmd->bar4 != 0) port->mmio_unmap(port->env, kmd->bar4, kmd->function.bars[4].bytes);
  port->free(port->env, kmd, sizeof *kmd);
}

const struct castor_discovery_header* castor_kmd_discovery(const struct castor_kmd* kmd) { return &kmd->discovery; }

void castor_kmd_memory_info(const struct castor_kmd* kmd, uint64_t* free_bytes, uint64_t* total_bytes) {
  *free_bytes = kmd->memory.free_bytes;
  *total_bytes = kmd->memory_total;
}

uint64_t castor_kmd_time(struct castor_kmd* kmd) {
  const uint64_t low = castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_TIME_LO);
  return (uint64_t)castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_TIME_HI) << 32 | low;
}
