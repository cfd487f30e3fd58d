// What an SM is built with, and what it is given for one CTA.
#pragma once

#include <cstdint>
#include <functional>

#include "gpu/sm/memory_port.h"
#include "platform/core/guest.h"

namespace castor::sm {

/// Instruction set level of the host that the interpreter is compiled for; `best` asks the processor.
enum class CpuLevel : std::uint8_t { baseline, v3, v4, best };

/// Whether this host can run the interpreter of that level.
bool cpu_supports(CpuLevel level);

struct SmSpec {
  unsigned id = 0;                        // SM number in the device
  unsigned sm_count = 1;                  // SMs in the device
  unsigned warp_slots = 48;               // resident warps
  unsigned cta_slots = 24;                // resident CTAs; also fixes the windows' slot numbers
  unsigned shared_bytes = 100u << 10;     // for all resident CTAs together
  unsigned cta_shared_bytes = 99u << 10;  // largest CTA
  unsigned local_bytes_max = 512u << 10;  // largest local memory of a thread
  CpuLevel cpu = CpuLevel::best;
  unsigned warp_slice = 4096;  // instructions of one warp before another gets its turn
  unsigned lane_slice = 1024;  // instructions of one group of lanes before the warp's other groups get theirs
  std::function<std::uint64_t()> globaltimer;  // device time in ns; counts cycles of the SM if not given
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
};

/// One CTA to run. Facts of the kernel's descriptor have been read by the dispatcher.
struct CtaLaunch {
  std::uint64_t cookie = 0;      // the dispatcher's own; comes back in the report
  std::uint16_t context = 0;     // PASID
  MemoryPort* memory = nullptr;  // the context's address space
  Dim3 grid, block;
  Dim3 index{0, 0, 0};  // of this CTA in the grid
  std::uint64_t grid_id = 0;
  VirtAddr kernel{};  // its descriptor, for fault records
  VirtAddr entry{};   // first instruction
  VirtAddr params{};  // a0
  std::uint32_t shared_static = 0, shared_dynamic = 0;
  std::uint32_t local_bytes = 0;  // of a thread; rounded up to 16

  std::uint32_t threads() const { return static_cast<std::uint32_t>(block.volume()); }
  std::uint32_t warps() const { return (threads() + kWarpLanes - 1) / kWarpLanes; }
  std::uint32_t dynamic_offset() const { return (shared_static + 15u) & ~15u; }
  std::uint32_t shared_total() const { return shared_dynamic ? dynamic_offset() + shared_dynamic : shared_static; }
};

}  // namespace castor::sm
