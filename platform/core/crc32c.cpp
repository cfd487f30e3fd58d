#include "platform/core/crc32c.h"

#include <array>

namespace castor {
namespace {

consteval std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    table[byte] = crc;
  }
  return table;
}

constexpr auto kTable = make_table();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) {
  crc = ~crc;
  for (const std::byte byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
  return ~crc;
}

}  // namespace castor
