// Builds page tables in device memory from gpu/abi/page_table.h alone, the way a driver does.
#pragma once

#include <cstdint>

#include "gpu/abi/page_table.h"
#include "gpu/model/device_memory.h"

namespace castor::test {

class TableBuilder {
 public:
  /// Tables are taken from `first` upwards; the root is the first.
  TableBuilder(gpu::DeviceMemory& memory, std::uint64_t first) : memory_(memory), root_(first), next_(first + 4096) {}

  std::uint64_t root() const { return root_; }
  /// The entry that maps `address` at `level`; tables on the way are made.
  std::uint64_t entry(std::uint64_t address, int level) {
    std::uint64_t table = root_;
    for (int at = CASTOR_PT_LEVELS - 1; at > level; --at) {
      const DevAddr slot{table + 8 * CASTOR_PT_INDEX(address, at)};
      if ((memory_.load64(slot) & CASTOR_PTE_VALID) == 0) {
        memory_.store64(slot, next_ | CASTOR_PTE_VALID);
        next_ += 4096;
      }
      table = memory_.load64(slot) & CASTOR_PTE_ADDRESS_MASK;
    }
    return table + 8 * CASTOR_PT_INDEX(address, level);
  }
  void set(std::uint64_t address, int level, std::uint64_t value) {
    memory_.store64(DevAddr{entry(address, level)}, value);
  }
  void map(std::uint64_t address, std::uint64_t target, std::uint64_t bits, std::uint64_t page) {
    const std::uint64_t value = target | bits | CASTOR_PTE_VALID | CASTOR_PTE_LEAF;
    if (page == CASTOR_PAGE_2M) return set(address, 1, value);
    if (page == CASTOR_PAGE_4K) return set(address, 0, value);
    for (unsigned i = 0; i < 16; ++i) set(address + 4096 * i, 0, value | CASTOR_PTE_BIG);
  }

 private:
  gpu::DeviceMemory& memory_;
  std::uint64_t root_, next_;
};

}  // namespace castor::test
