// The discovery table's bytes, from the specification and the register map.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/model/gpu_spec.h"
#include "gpu/model/register_map.h"

namespace castor::gpu {

/// Facts of the dies that the table reports besides GpuSpec.
struct PackageFacts {
  unsigned dies = 1;
  std::uint32_t l2_bytes = 0;
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t memory_bus_bits = 0;
  std::vector<std::uint64_t> sm_harvest;
};

std::vector<std::byte> discovery_table(const GpuSpec& spec, const PackageFacts& facts, const RegisterMap& map);

/// Bytes at the bottom of device memory that are the firmware's (region CASTOR_REGION_FIRMWARE).
inline constexpr std::uint64_t kFirmwareBytes = 2u << 20;

}  // namespace castor::gpu
