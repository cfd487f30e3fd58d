// What a turn of an SM brought about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/sm/launch.h"
#include "platform/core/fault.h"

namespace castor::sm {

/// Everything a fault record says, and for a deadlock a sentence on who waits where.
struct SmFault {
  Fault fault;
  VirtAddr pc{};
  LaneMask lanes = 0;  // all lanes of the warp with this cause; the record's facts are those of the lowest
  std::uint16_t context = 0;
  std::uint16_t sm = 0;
  std::uint8_t warp = 0;     // in the CTA
  Dim3 block{0, 0, 0};       // CTA index in the grid
  Dim3 thread{0, 0, 0};      // of the lowest faulting lane
  std::uint16_t detail = 0;  // trap code, barrier id
  VirtAddr kernel{};
  std::uint64_t cookie = 0;
  std::string explanation;
};

struct RunReport {
  std::vector<std::uint64_t> finished;  // cookies of CTAs that ended
  std::optional<SmFault> fault;         // its context's CTAs stay frozen in this SM until cancel(context)
  std::uint64_t issued = 0;             // warp instructions of this turn
  bool idle = false;                    // no CTA left that could run
};

struct SmStats {
  std::uint64_t issued = 0;               // warp instructions
  std::uint64_t thread_instructions = 0;  // the same, weighted by the lanes that executed
  std::uint64_t ctas = 0;                 // finished
  std::uint64_t divergences = 0;          // branches that split a group of lanes
  std::uint64_t tlb_misses = 0;
};

}  // namespace castor::sm
