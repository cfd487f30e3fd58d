#include "platform/board/host_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "platform/board/host_map.h"
#include "platform/core/check.h"

namespace castor::board {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kWindowGap = kPage;  // so that a device that runs past one window does not hit the next

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

}  // namespace

HostMemory::HostMemory(std::uint64_t ram_bytes) {
  const std::uint64_t bytes = whole_pages(ram_bytes);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED, "no address space for the host's memory");
  ram_ = {static_cast<std::byte*>(memory), bytes};
  free_.emplace(0, bytes);
  CHECK(map_.add(BusAddr{kRamBase}, bytes, ram_.data()), "RAM comes first");
}

HostMemory::~HostMemory() { munmap(ram_.data(), ram_.size()); }

Result<HostMemory::Block> HostMemory::allocate(std::uint64_t bytes) {
  bytes = whole_pages(bytes);
  for (auto range = free_.begin(); bytes != 0 && range != free_.end(); ++range) {
    const auto [offset, room] = *range;
    if (room < bytes) continue;
    free_.erase(range);
    if (room > bytes) free_.emplace(offset + bytes, room - bytes);
    return Block{ram_.data() + offset, BusAddr{kRamBase + offset}};
  }
  return Status{StatusCode::out_of_memory,
                fmt::format("host memory has no {} bytes in one piece left; raise host.ram_bytes", bytes)};
}

void HostMemory::release(BusAddr bus, std::uint64_t bytes) {
  bytes = whole_pages(bytes);
  std::uint64_t offset = bus.value - kRamBase;
  CHECK(offset < ram_.size() && bytes <= ram_.size() - offset, "not memory of allocate");
  // Fresh pages are zero; giving them back is cheaper than clearing, too.
  CHECK(madvise(ram_.data() + offset, bytes, MADV_DONTNEED) == 0, "whole pages of our own mapping");
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + bytes) {
    bytes += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  free_.emplace_hint(after, offset, bytes);
}

std::uint64_t HostMemory::free_bytes() const {
  std::uint64_t total = 0;
  for (const auto& [offset, bytes] : free_) total += bytes;
  return total;
}

Result<std::uint64_t> HostMemory::pin(std::span<std::byte> memory) {
  const std::uint64_t bytes = memory.size();
  if (bytes == 0 || bytes % kPage != 0)
    return Status{StatusCode::invalid_value, fmt::format("pinning {} bytes: not whole pages", bytes)};
  std::uint64_t base = kPinnedBase;
  for (const auto& [start, length] : windows_) {
    if (start - base >= bytes + kWindowGap) break;
    base = start + length + kWindowGap;
  }
  if (kPinnedBytes - (base - kPinnedBase) < bytes)
    return Status{StatusCode::out_of_memory, "the host's bus has no room left for pinned memory"};
  CHECK(map_.add(BusAddr{base}, bytes, memory.data()), "windows do not overlap");
  windows_.emplace(base, bytes);
  return base;
}

void HostMemory::unpin(std::uint64_t handle) {
  if (windows_.erase(handle) != 0) map_.remove(BusAddr{handle});
}

Result<BusAddr> HostMemory::pinned_page(std::uint64_t handle, std::uint64_t page) const {
  const auto window = windows_.find(handle);
  if (window == windows_.end() || page >= window->second / kPage)
    return Status{StatusCode::not_found, fmt::format("no page {} in pinned memory {:#x}", page, handle)};
  return BusAddr{handle + page * kPage};
}

}  // namespace castor::board
