// Bus: what software-like code (the hosted driver, a hart) sees of the machine: addressed reads and writes that may fail.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "platform/core/guest.h"
#include "platform/core/status.h"

namespace castor {

class Bus {
 public:
  virtual ~Bus() = default;
  /// Reads `data.size()` bytes at `address`; naturally aligned when it is a register.
  virtual Status read(BusAddr address, std::span<std::byte> data) = 0;
  virtual Status write(BusAddr address, std::span<const std::byte> data) = 0;

  template <std::integral T>
  Status read_as(BusAddr address, T& value) {
    return read(address, std::as_writable_bytes(std::span(&value, 1)));
  }
  template <std::integral T>
  Status write_as(BusAddr address, T value) {
    return write(address, std::as_bytes(std::span(&value, 1)));
  }
};

}  // namespace castor
