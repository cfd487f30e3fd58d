// DirectMemory: host memory behind bus addresses, for engines that cannot afford a transaction for each access. No SystemC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>

#include "platform/core/guest.h"

namespace castor::sim {

/// Ranges of the bus that are plain memory of our own process. Every member from any thread.
class DirectMemory {
 public:
  /// Host address of `bytes` bytes at `address`; null unless one range holds them all. Good until the range is removed, which the
  /// owner of the memory does only after the device's translations to it are gone.
  std::byte* find(BusAddr address, std::uint64_t bytes) const;

  /// False, and nothing changes, if it would overlap a range that is there.
  bool add(BusAddr base, std::uint64_t bytes, std::byte* host);
  void remove(BusAddr base);

 private:
  struct Range {
    std::uint64_t bytes;
    std::byte* host;
  };
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Range> ranges_;  // by first bus address
};

}  // namespace castor::sim
