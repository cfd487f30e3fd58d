// HostMemory: the host's RAM and the windows of clients' pinned memory, as the bus sees them. No SystemC.
//
// find() may be called from any thread; everything else on the driver's thread alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "platform/core/result.h"
#include "platform/sim/direct_memory.h"

namespace castor::board {

class HostMemory {
 public:
  explicit HostMemory(std::uint64_t ram_bytes);
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  std::byte* find(BusAddr address, std::uint64_t bytes) const { return map_.find(address, bytes); }

  struct Block {
    std::byte* host;
    BusAddr bus;
  };
  /// Zeroed whole pages of RAM, contiguous; out_of_memory names the key of the configuration.
  Result<Block> allocate(std::uint64_t bytes);
  /// `bytes` as they were allocated.
  void release(BusAddr bus, std::uint64_t bytes);
  std::uint64_t free_bytes() const;

  /// Puts memory of this process on the bus; whole pages. The handle is its first bus address.
  Result<std::uint64_t> pin(std::span<std::byte> memory);
  void unpin(std::uint64_t handle);
  /// Bus address of page `page` of a window; nothing if the window has no such page.
  Result<BusAddr> pinned_page(std::uint64_t handle, std::uint64_t page) const;

 private:
  std::span<std::byte> ram_;
  std::map<std::uint64_t, std::uint64_t> free_;     // RAM: offset → bytes, merged
  std::map<std::uint64_t, std::uint64_t> windows_;  // pinned: bus address → bytes
  sim::DirectMemory map_;
};

}  // namespace castor::board
