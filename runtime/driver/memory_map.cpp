#include "runtime/driver/memory_map.h"

#include <atomic>

namespace castor::driver {
namespace {
std::atomic<std::uint64_t> next_id{1};
}

void MemoryMap::add(Allocation allocation) {
  const std::scoped_lock lock(mutex_);
  allocation.id = next_id++;
  by_address_[allocation.va] = allocation;
}

std::optional<Allocation> MemoryMap::remove(std::uint64_t va) {
  const std::scoped_lock lock(mutex_);
  const auto found = by_address_.find(va);
  if (found == by_address_.end()) return std::nullopt;
  Allocation out = found->second;
  by_address_.erase(found);
  return out;
}

std::optional<Allocation> MemoryMap::at(std::uint64_t va) const {
  const std::scoped_lock lock(mutex_);
  const auto found = by_address_.find(va);
  if (found == by_address_.end()) return std::nullopt;
  return found->second;
}

std::optional<Allocation> MemoryMap::find(std::uint64_t address) const {
  const std::scoped_lock lock(mutex_);
  auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return std::nullopt;
  const Allocation& before = std::prev(after)->second;
  if (!before.contains(address, 1)) return std::nullopt;
  return before;
}

std::optional<Allocation> MemoryMap::nearest(std::uint64_t address) const {
  const std::scoped_lock lock(mutex_);
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return after == by_address_.end() ? std::nullopt : std::optional(after->second);
  const Allocation& before = std::prev(after)->second;
  if (after == by_address_.end() || before.contains(address, 1)) return before;
  const std::uint64_t past = address - (before.va + before.bytes);
  return past <= after->second.va - address ? before : after->second;
}

bool MemoryMap::overlaps(std::uint64_t va, std::uint64_t bytes) const {
  const std::scoped_lock lock(mutex_);
  auto after = by_address_.lower_bound(va);
  if (after != by_address_.end() && after->first < va + bytes) return true;
  if (after == by_address_.begin()) return false;
  const Allocation& before = std::prev(after)->second;
  return before.va + before.bytes > va;
}

std::map<std::uint64_t, Allocation> MemoryMap::take_all() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(by_address_, {});
}

}  // namespace castor::driver
