// The host's bus: where everything is. The layout of the emulated RV64 host that QEMU's virt board made usual, as far as it has these parts.
#pragma once

#include <cstdint>

namespace castor::board {

inline constexpr std::uint64_t kMsiBase = 0x2800'0000;  // a write of n here raises host interrupt n
inline constexpr std::uint64_t kMsiBytes = 0x1000;
inline constexpr unsigned kHostInterrupts = 64;
inline constexpr std::uint64_t kEcamBase = 0x3000'0000;  // configuration space of buses 0 to 255
inline constexpr std::uint64_t kEcamBytes = 0x1000'0000;
inline constexpr std::uint64_t kMmio32Base = 0x4000'0000;  // 32-bit BARs
inline constexpr std::uint64_t kMmio32Bytes = 0x4000'0000;
inline constexpr std::uint64_t kRamBase = 0x8000'0000;
inline constexpr std::uint64_t kMmio64Base = 0x0100'0000'0000;  // 64-bit BARs: 1 TiB and up, 127 TiB of them
inline constexpr std::uint64_t kMmio64Bytes = 0x7f00'0000'0000;
inline constexpr std::uint64_t kPinnedBase = 0x8000'0000'0000;  // windows of clients' pinned memory
inline constexpr std::uint64_t kPinnedBytes = 0x8000'0000'0000;

}  // namespace castor::board
