// Memory: what a hart's addresses reach. RAM regions are host memory; everything else is the bus.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platform/core/bus.h"

namespace castor::hart {

class Memory {
 public:
  explicit Memory(Bus& mmio) : mmio_(mmio) {}

  void add_ram(BusAddr base, std::span<std::byte> bytes, bool writable) {
    regions_.push_back({base.value, bytes.size(), bytes.data(), writable});
  }

  /// Host address of `size` bytes that lie in one RAM region, or nullptr.
  std::byte* ram(std::uint64_t address, std::size_t size, bool write) {
    for (const Region& region : regions_) {
      const std::uint64_t offset = address - region.base;
      if (offset < region.size && region.size - offset >= size) {
        return write && !region.writable ? nullptr : region.host + offset;
      }
    }
    return nullptr;
  }

  /// No value: nothing answers there.
  template <std::unsigned_integral T>
  std::optional<T> load(std::uint64_t address) {
    if (const std::byte* host = ram(address, sizeof(T), false)) {
      return __atomic_load_n(reinterpret_cast<const T*>(host), __ATOMIC_RELAXED);
    }
    T value = 0;
    return mmio_.read_as(BusAddr{address}, value).ok() ? std::optional(value) : std::nullopt;
  }

  template <std::unsigned_integral T>
  bool store(std::uint64_t address, T value) {
    if (std::byte* host = ram(address, sizeof(T), true)) {
      __atomic_store_n(reinterpret_cast<T*>(host), value, __ATOMIC_RELAXED);
      return true;
    }
    if (ram(address, sizeof(T), false) != nullptr) return false;  // read-only
    return mmio_.write_as(BusAddr{address}, value).ok();
  }

 private:
  struct Region {
    std::uint64_t base, size;
    std::byte* host;
    bool writable;
  };
  std::vector<Region> regions_;
  Bus& mmio_;
};

}  // namespace castor::hart
