// Guest quantities as types: a host pointer never holds a guest address, and one address space is never mistaken for another.
#pragma once

#include <compare>
#include <cstdint>

namespace castor {

/// A 64-bit quantity of the guest, told apart from all others by its tag. Arithmetic with plain offsets only.
template <class Tag>
struct Guest {
  std::uint64_t value = 0;

  constexpr auto operator<=>(const Guest&) const = default;
  constexpr Guest operator+(std::uint64_t offset) const { return {value + offset}; }
  constexpr Guest operator-(std::uint64_t offset) const { return {value - offset}; }
  constexpr std::uint64_t operator-(Guest other) const { return value - other.value; }
  constexpr Guest& operator+=(std::uint64_t offset) {
    value += offset;
    return *this;
  }
};

/// Address a GPU thread or a queue packet uses; means something only within one context's address space.
using VirtAddr = Guest<struct VirtAddrTag>;
/// Byte offset into the GPU's device memory (HBM of both dies, interleaved as the package's address map says).
using DevAddr = Guest<struct DevAddrTag>;
/// Address on the host's bus: host memory, BARs, MSI targets.
using BusAddr = Guest<struct BusAddrTag>;

inline constexpr unsigned kWarpLanes = 32;
/// One bit for each lane of a warp, lane 0 in bit 0.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xffff'ffffu;

}  // namespace castor
