/* The discovery table: the only source of places and numbers. Nothing of it is believed before it has been checked. */
#include "runtime/kmd/core.h"

#define MAX_TABLE 0x10000u

static int refuse(struct castor_kmd* kmd, const char* why) {
  castor_kmd_say(kmd->port, CASTOR_KMD_LOG_ERROR, "discovery table: %s", why);
  return CASTOR_KMD_EIO;
}

static int read_table(struct castor_kmd* kmd) {
  const uint32_t offset = castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_DISCOVERY_OFFSET);
  const uint32_t bytes = castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_DISCOVERY_BYTES);
  if (bytes < sizeof kmd->discovery || bytes > MAX_TABLE || bytes % 4 != 0) return refuse(kmd, "impossible size");
  if (offset % 4 != 0 || offset > CASTOR_BAR0_BYTES - bytes) return refuse(kmd, "not inside BAR0");
  kmd->table = kmd->port->alloc(kmd->port->env, bytes);
  if (kmd->table == NULL) return CASTOR_KMD_ENOMEM;
  kmd->discovery.table_bytes = bytes; /* what close has to free, also of a table that is refused */
  for (uint32_t at = 0; at < bytes; at += 4) {
    const uint32_t word = castor_kmd_read(kmd, offset + at);
    castor_kmd_copy(kmd->table + at, &word, 4);
  }
  return 0;
}

static int check_table(struct castor_kmd* kmd) {
  const uint32_t bytes = kmd->discovery.table_bytes;
  struct castor_discovery_header* header = (struct castor_discovery_header*)(void*)kmd->table;
  if (header->magic != CASTOR_DISCOVERY_MAGIC) return refuse(kmd, "no magic number");
  if (header->version != CASTOR_DISCOVERY_VERSION) return refuse(kmd, "a version that this driver does not know");
  if (header->table_bytes != bytes || header->header_bytes < sizeof *header) return refuse(kmd, "sizes do not agree");
  const uint32_t crc = header->crc;
  header->crc = 0;
  const uint32_t found = castor_kmd_crc32c(kmd->table, bytes);
  header->crc = crc;
  if (found != crc) return refuse(kmd, "wrong checksum");
  if (header->blocks > MAX_TABLE || header->blocks_offset > bytes ||
      header->blocks * sizeof(struct castor_discovery_block) > bytes - header->blocks_offset) {
    return refuse(kmd, "block list outside the table");
  }
  if (header->regions > MAX_TABLE || header->regions_offset > bytes ||
      header->regions * sizeof(struct castor_discovery_region) > bytes - header->regions_offset) {
    return refuse(kmd, "region list outside the table");
  }
  if (header->firmware_abi != CASTOR_MESSAGE_VERSION) return refuse(kmd, "firmware of another message version");
  if (header->contexts < 2 || header->contexts > 65536 || header->queues == 0)
    return refuse(kmd, "no contexts or queues");
  if (header->vectors <= CASTOR_VECTOR_FIRST_QUEUE) return refuse(kmd, "too few interrupt vectors");
  header->name[sizeof header->name - 1] = 0;
  kmd->discovery = *header;
  return 0;
}

static bool find_block(const struct castor_kmd* kmd, uint16_t type, uint32_t* base) {
  for (uint32_t i = 0; i < kmd->discovery.blocks; ++i) {
    struct castor_discovery_block block;
    castor_kmd_copy(&block, kmd->table + kmd->discovery.blocks_offset + i * sizeof block, sizeof block);
    if (block.type != type || block.instance != 0) continue;
    *base = block.base;
    return block.base <= CASTOR_BAR0_BYTES - block.bytes && block.bytes <= CASTOR_BAR0_BYTES;
  }
  return false;
}

static int add_regions(struct castor_kmd* kmd) {
  for (uint32_t i = 0; i < kmd->discovery.regions; ++i) {
    struct castor_discovery_region region;
    castor_kmd_copy(&region, kmd->table + kmd->discovery.regions_offset + i * sizeof region, sizeof region);
    const uint64_t end = (region.base + region.bytes) & ~(CASTOR_PAGE_4K - 1);
    const uint64_t base = (region.base + CASTOR_PAGE_4K - 1) & ~(CASTOR_PAGE_4K - 1);
    if (region.kind != CASTOR_REGION_USABLE || region.base + region.bytes < region.base || end <= base) continue;
    if (end > kmd->discovery.memory_bytes) continue;
    if (!castor_range_give(&kmd->memory, base, end - base)) return CASTOR_KMD_ENOMEM;
  }
  kmd->memory_total = kmd->memory.free_bytes;
  return kmd->memory_total == 0 ? refuse(kmd, "no usable device memory") : 0;
}

int castor_kmd_discover(struct castor_kmd* kmd) {
  if (castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_ID) != 0x54534143u)
    return refuse(kmd, "BAR0 is not that of a Castor GPU");
  int error = read_table(kmd);
  if (error == 0) error = check_table(kmd);
  if (error != 0) return error;
  if (!find_block(kmd, CASTOR_BLOCK_GSP, &kmd->gsp) || !find_block(kmd, CASTOR_BLOCK_MMU, &kmd->mmu) ||
      !find_block(kmd, CASTOR_BLOCK_INTR, &kmd->intr)) {
    return refuse(kmd, "a block that the driver needs is not there");
  }
  kmd->emulated = (castor_kmd_read(kmd, CASTOR_BOOT_BASE + CASTOR_BOOT_EMULATION) & 1u) != 0;
  return add_regions(kmd);
}
