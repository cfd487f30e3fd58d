#include "platform/sim/direct_memory.h"

#include <mutex>

namespace castor::sim {

std::byte* DirectMemory::find(BusAddr address, std::uint64_t bytes) const {
  const std::shared_lock lock(mutex_);
  auto after = ranges_.upper_bound(address.value);
  if (after == ranges_.begin()) return nullptr;
  const auto& [base, range] = *std::prev(after);
  const std::uint64_t offset = address.value - base;
  if (offset >= range.bytes || bytes > range.bytes - offset) return nullptr;
  return range.host + offset;
}

bool DirectMemory::add(BusAddr base, std::uint64_t bytes, std::byte* host) {
  if (bytes == 0 || base.value + bytes < base.value) return false;
  const std::unique_lock lock(mutex_);
  const auto after = ranges_.lower_bound(base.value);
  if (after != ranges_.end() && after->first < base.value + bytes) return false;
  if (after != ranges_.begin()) {
    const auto& [before, range] = *std::prev(after);
    if (before + range.bytes > base.value) return false;
  }
  ranges_.emplace_hint(after, base.value, Range{bytes, host});
  return true;
}

void DirectMemory::remove(BusAddr base) {
  const std::unique_lock lock(mutex_);
  ranges_.erase(base.value);
}

}  // namespace castor::sim
