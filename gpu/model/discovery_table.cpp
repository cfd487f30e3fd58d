#include "gpu/model/discovery_table.h"

#include <cstring>

#include "gpu/abi/message.h"
#include "platform/core/check.h"
#include "platform/core/crc32c.h"

namespace castor::gpu {
namespace {

castor_discovery_header header_of(const GpuSpec& spec, const PackageFacts& facts) {
  castor_discovery_header header{};
  header.magic = CASTOR_DISCOVERY_MAGIC;
  header.version = CASTOR_DISCOVERY_VERSION;
  header.header_bytes = sizeof header;
  header.firmware_abi = CASTOR_MESSAGE_VERSION;
  header.dies = facts.dies;
  header.sms = static_cast<std::uint32_t>(spec.sms.size());
  header.warp_slots = spec.warp_slots;
  header.cta_slots = spec.cta_slots;
  header.shared_per_sm = spec.shared_per_sm;
  header.shared_per_cta = spec.shared_per_cta;
  header.registers_per_sm = 65536;
  header.l2_bytes = facts.l2_bytes;
  header.clock_khz = spec.clock_khz;
  header.memory_clock_khz = facts.memory_clock_khz;
  header.memory_bus_bits = facts.memory_bus_bits;
  header.contexts = spec.contexts;
  header.queues = spec.queues;
  header.vectors = spec.vectors;
  header.local_bytes = spec.local_bytes;
  header.memory_bytes = spec.memory_bytes;
  header.serial = spec.serial;
  for (std::size_t die = 0; die < facts.sm_harvest.size(); ++die) header.sm_harvest[die] = facts.sm_harvest[die];
  std::strncpy(header.name, spec.name.c_str(), sizeof header.name - 1);
  return header;
}

template <class Record>
void append(std::vector<std::byte>& table, const Record& record) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&record);
  table.insert(table.end(), bytes, bytes + sizeof record);
}

}  // namespace

std::vector<std::byte> discovery_table(const GpuSpec& spec, const PackageFacts& facts, const RegisterMap& map) {
  const auto blocks = map.discovery();
  const castor_discovery_region regions[] = {
      {0, kFirmwareBytes, CASTOR_REGION_FIRMWARE, CASTOR_DISCOVERY_PACKAGE},
      {kFirmwareBytes, spec.memory_bytes - kFirmwareBytes, CASTOR_REGION_USABLE, CASTOR_DISCOVERY_PACKAGE},
  };
  castor_discovery_header header = header_of(spec, facts);
  header.blocks = static_cast<std::uint32_t>(blocks.size());
  header.blocks_offset = sizeof header;
  header.regions = std::size(regions);
  header.regions_offset = header.blocks_offset + header.blocks * sizeof(castor_discovery_block);
  header.table_bytes = header.regions_offset + header.regions * sizeof(castor_discovery_region);

  std::vector<std::byte> table;
  append(table, header);
  for (const auto& block : blocks) append(table, block);
  for (const auto& region : regions) append(table, region);
  CHECK(table.size() == header.table_bytes, "the discovery table's size disagrees with its header");

  const std::uint32_t crc = crc32c(table);
  std::memcpy(table.data() + offsetof(castor_discovery_header, crc), &crc, sizeof crc);
  return table;
}

}  // namespace castor::gpu
