// CRC32C (Castagnoli), as control messages, the discovery table and firmware images use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace castor {

/// `crc` is the result for the bytes before, 0 at the start.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);

}  // namespace castor
