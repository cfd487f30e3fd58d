// An address space for tests: a few host buffers at fixed guest addresses, each with its own permissions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "gpu/sm/memory_port.h"

namespace castor::sm::test {

class FlatMemory : public MemoryPort {
 public:
  struct Region {
    std::uint64_t base, bytes;
    bool read, write, execute, atomic;
    std::unique_ptr<std::byte[]> data;
  };

  /// Maps zeroed memory; `flags` out of "rwxa". Sizes are rounded up to pages of 4 KiB.
  std::byte* map(std::uint64_t base, std::uint64_t bytes, std::string_view flags) {
    const std::uint64_t size = (bytes + 4095) & ~std::uint64_t{4095};
    const auto has = [&](char c) { return flags.find(c) != std::string_view::npos; };
    regions_.push_back({base, size, has('r'), has('w'), has('x'), has('a'), std::make_unique<std::byte[]>(size)});
    return regions_.back().data.get();
  }
  void unmap(std::uint64_t base) {
    std::erase_if(regions_, [base](const Region& region) { return region.base == base; });
  }

  std::byte* at(std::uint64_t address) {
    Region* region = find(address);
    return region == nullptr ? nullptr : region->data.get() + (address - region->base);
  }
  template <class T>
  T get(std::uint64_t address) {
    T value{};
    if (const std::byte* from = at(address)) std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class T>
  void put(std::uint64_t address, T value) {
    if (std::byte* to = at(address)) std::memcpy(to, &value, sizeof value);
  }

  Translation translate(VirtAddr address, Access access) override {
    Translation t;
    Region* region = find(address.value);
    if (region == nullptr) {
      t.fault = FaultCause::illegal_address;
      return t;
    }
    const std::uint64_t page = address.value & ~std::uint64_t{4095};
    t.page = VirtAddr{page};
    t.page_bytes = 4096;
    t.host = region->data.get() + (page - region->base);
    t.read = region->read, t.write = region->write, t.execute = region->execute, t.atomic = region->atomic;
    const bool allowed = access == Access::read     ? t.read
                         : access == Access::write  ? t.write
                         : access == Access::atomic ? t.atomic
                                                    : t.execute;
    if (!allowed) t.fault = FaultCause::permission;
    return t;
  }

 private:
  Region* find(std::uint64_t address) {
    for (Region& region : regions_) {
      if (address - region.base < region.bytes) return &region;
    }
    return nullptr;
  }
  std::vector<Region> regions_;
};

}  // namespace castor::sm::test
