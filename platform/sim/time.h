// Simulated time, loosely timed: every hop of a transaction adds its delay, the initiator waits for the sum.
#pragma once

#include <cstdint>

#include "platform/sim/systemc.h"

namespace castor::sim {

/// Stack of an SC_THREAD that makes transactions: SystemC's 64 KiB do not hold a sanitizer's frames. Committed as touched.
inline constexpr int kStackBytes = 512 << 10;

inline sc_core::sc_time nanoseconds(double count) { return {count, sc_core::SC_NS}; }

/// Whole picoseconds, the kernel's resolution.
inline std::uint64_t picoseconds(const sc_core::sc_time& time) { return time.value(); }

/// What simulated time reads now, for a process that runs `ahead` of the kernel.
inline std::uint64_t now_ns(const sc_core::sc_time& ahead = sc_core::SC_ZERO_TIME) {
  return (sc_core::sc_time_stamp() + ahead).value() / 1000;
}

/// Waits for what has been added up and starts at nothing again. From a SystemC thread process.
inline void synchronize(sc_core::sc_time& ahead) {
  if (ahead == sc_core::SC_ZERO_TIME) return;
  const auto owed = ahead;
  ahead = sc_core::SC_ZERO_TIME;
  sc_core::wait(owed);
}

}  // namespace castor::sim
