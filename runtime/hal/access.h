// What a mapping allows; the bits of the protocol's `access` words. kmd_device.cpp checks that the driver core means the same.
#pragma once

#include <cstdint>

namespace castor::hal {

inline constexpr std::uint32_t kRead = 1, kWrite = 2, kExecute = 4, kAtomic = 8;
inline constexpr std::uint32_t kData = kRead | kWrite | kAtomic;

}  // namespace castor::hal
