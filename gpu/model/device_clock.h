// DeviceClock: device time in ns. SM threads push it on as they execute, the simulation follows; it never goes back.
#pragma once

#include <atomic>
#include <cstdint>

namespace castor::gpu {

class DeviceClock {
 public:
  std::uint64_t now_ns() const { return ns_.load(std::memory_order_relaxed); }
  void advance(std::uint64_t ns) { ns_.fetch_add(ns, std::memory_order_relaxed); }
  /// At least this late.
  void reach(std::uint64_t ns) {
    std::uint64_t now = ns_.load(std::memory_order_relaxed);
    while (now < ns && !ns_.compare_exchange_weak(now, ns, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<std::uint64_t> ns_{0};
};

}  // namespace castor::gpu
