#include "gpu/model/page_walker.h"

#include "gpu/abi/page_table.h"

namespace castor::gpu {
namespace {

constexpr std::uint64_t kTableBits = CASTOR_PTE_VALID | CASTOR_PTE_ADDRESS_MASK;
constexpr std::uint64_t kLeafBits = kTableBits | CASTOR_PTE_LEAF | CASTOR_PTE_APERTURE_MASK | CASTOR_PTE_READ |
                                    CASTOR_PTE_WRITE | CASTOR_PTE_EXECUTE | CASTOR_PTE_ATOMIC | CASTOR_PTE_ATS |
                                    CASTOR_PTE_SPARSE | CASTOR_PTE_POISON | CASTOR_PTE_BIG;

Mapping nothing() { return {.fault = FaultCause::illegal_address}; }

std::uint64_t leaf_bytes(std::uint64_t entry, int level) {
  if (level == 1 && (entry & CASTOR_PTE_BIG) == 0) return CASTOR_PAGE_2M;
  if (level == 0) return (entry & CASTOR_PTE_BIG) != 0 ? CASTOR_PAGE_64K : CASTOR_PAGE_4K;
  return 0;
}

// An entry with SPARSE stands for memory that is not there yet, POISON for memory that has been lost: neither can be used.
Mapping leaf(const DeviceMemory& memory, std::uint64_t entry, int level, VirtAddr address) {
  const std::uint64_t bytes = leaf_bytes(entry, level);
  if (bytes == 0 || (entry & ~kLeafBits) != 0 || (entry & (CASTOR_PTE_SPARSE | CASTOR_PTE_POISON)) != 0) {
    return nothing();
  }
  const auto aperture = (entry & CASTOR_PTE_APERTURE_MASK) >> CASTOR_PTE_APERTURE_SHIFT;
  const bool host = aperture == CASTOR_APERTURE_HOST_COHERENT || aperture == CASTOR_APERTURE_HOST_NONCOHERENT;
  if (!host && aperture != CASTOR_APERTURE_DEVICE) return nothing();
  // The sixteen entries of a 64 KiB page may hold its address or each its own part's: the page is the same.
  const std::uint64_t target = (entry & CASTOR_PTE_ADDRESS_MASK) & ~(bytes - 1);
  if (level == 1 && (entry & CASTOR_PTE_ADDRESS_MASK) != target) return nothing();
  if (!host && !memory.contains(DevAddr{target}, bytes)) return nothing();
  return {.host = host,
          .target = target,
          .page = VirtAddr{address.value & ~(bytes - 1)},
          .page_bytes = bytes,
          .read = (entry & CASTOR_PTE_READ) != 0,
          .write = (entry & CASTOR_PTE_WRITE) != 0,
          .execute = (entry & CASTOR_PTE_EXECUTE) != 0,
          .atomic = (entry & CASTOR_PTE_ATOMIC) != 0};
}

}  // namespace

bool Mapping::allows(Access access) const {
  switch (access) {
    case Access::read: return read;
    case Access::write: return write;
    case Access::execute: return execute;
    case Access::atomic: return atomic && read && write;
  }
  return false;
}

Mapping walk(const DeviceMemory& memory, DevAddr root, VirtAddr address) {
  if (address.value >> 57 != 0) return nothing();
  std::uint64_t table = root.value;
  for (int level = CASTOR_PT_LEVELS - 1; level >= 0; --level) {
    if (table % CASTOR_PT_TABLE_BYTES != 0 || !memory.contains(DevAddr{table}, CASTOR_PT_TABLE_BYTES)) return nothing();
    const std::uint64_t entry = memory.load64(DevAddr{table + 8 * CASTOR_PT_INDEX(address.value, level)});
    if ((entry & CASTOR_PTE_VALID) == 0) return nothing();
    if ((entry & CASTOR_PTE_LEAF) != 0) return leaf(memory, entry, level, address);
    if ((entry & ~kTableBits) != 0) return nothing();
    table = entry & CASTOR_PTE_ADDRESS_MASK;
  }
  return nothing();
}

}  // namespace castor::gpu
