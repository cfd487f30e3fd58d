// A warp's registers and lane states: plain data that any engine can take over between two instructions.
#pragma once

#include <cstdint>

#include "platform/core/guest.h"

namespace castor::sm {

/// Why the lanes of `waiting` do not run, and what they hand over: one slot a lane.
struct SyncSlot {
  std::uint16_t op = 0;               // isa::Op they have reached
  std::uint8_t d = 0;                 // register that gets the result, kBucket if none
  LaneMask mask = 0;                  // lanes to wait for
  std::uint64_t a = 0, b = 0, c = 0;  // operands
};

struct alignas(64) WarpState {
  /// Row that catches writes to x0.
  static constexpr unsigned kBucket = 32;

  std::uint64_t x[33][kWarpLanes];       // x[register][lane]; row 0 stays zero
  std::uint32_t f_low[32][kWarpLanes];   // f registers in two planes: bits 31..0
  std::uint32_t f_high[32][kWarpLanes];  // and bits 63..32, all ones when a single is boxed
  std::uint64_t pc[kWarpLanes];          // of the next instruction
  std::uint32_t fcsr[kWarpLanes];        // frm << 5 | fflags

  LaneMask present;     // lanes that hold a thread
  LaneMask exited;      // whose thread has ended
  LaneMask at_sync;     // waiting at an operation with a lane mask; see sync[]
  LaneMask at_barrier;  // waiting at CTA barrier barrier_id[lane]
  std::uint8_t barrier_id[kWarpLanes];
  std::uint8_t barrier_d[kWarpLanes];  // register that gets the barrier's result, kBucket if none
  SyncSlot sync[kWarpLanes];

  std::uint64_t reserved_address[kWarpLanes];  // of lr, ~0 if none
  std::uint64_t reserved_value[kWarpLanes];

  LaneMask live() const { return present & ~exited; }
  LaneMask runnable() const { return live() & ~at_sync & ~at_barrier; }

  std::uint64_t f(unsigned reg, unsigned lane) const {
    return std::uint64_t{f_high[reg][lane]} << 32 | f_low[reg][lane];
  }
  void set_f(unsigned reg, unsigned lane, std::uint64_t bits) {
    f_low[reg][lane] = static_cast<std::uint32_t>(bits);
    f_high[reg][lane] = static_cast<std::uint32_t>(bits >> 32);
  }
  void set_x(unsigned reg, unsigned lane, std::uint64_t value) { x[reg == 0 ? kBucket : reg][lane] = value; }
};

}  // namespace castor::sm
