// MemoryMap: what the addresses of a context mean: device memory, pinned host memory, managed memory, registered memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/hal/client.h"

namespace castor::driver {

enum class MemoryKind { device, pinned, managed, registered, module };

struct Allocation {
  MemoryKind kind = MemoryKind::device;
  std::uint64_t va = 0;
  std::uint64_t bytes = 0;  // as asked for
  unsigned flags = 0;       // of cuMemHostAlloc or cuMemHostRegister
  std::uint64_t id = 0;     // unique in the process
  hal::PinnedMemory pinned{};

  bool host() const { return kind != MemoryKind::device && kind != MemoryKind::module; }
  bool contains(std::uint64_t address, std::uint64_t size) const {
    return address >= va && size <= bytes && address - va <= bytes - size;
  }
};

class MemoryMap {
 public:
  void add(Allocation allocation);
  /// Takes the allocation that begins at `va` off the map.
  std::optional<Allocation> remove(std::uint64_t va);
  std::optional<Allocation> at(std::uint64_t va) const;
  /// The allocation that holds the address.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// The allocation that ends last before `address` or begins first after it: whichever is nearer.
  std::optional<Allocation> nearest(std::uint64_t address) const;
  bool overlaps(std::uint64_t va, std::uint64_t bytes) const;
  std::map<std::uint64_t, Allocation> take_all();

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Allocation> by_address_;
};

}  // namespace castor::driver
