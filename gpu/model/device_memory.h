// DeviceMemory: the bytes of all HBM stacks as one range of our own process, committed as they are touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "platform/core/guest.h"

namespace castor::gpu {

class DeviceMemory {
 public:
  explicit DeviceMemory(std::uint64_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  bool contains(DevAddr address, std::uint64_t bytes) const {
    return bytes <= bytes_ && address.value <= bytes_ - bytes;
  }
  /// Host address of a device address that memory contains.
  std::byte* at(DevAddr address) { return base_ + address.value; }

  /// An aligned 64-bit word, whole even while another thread writes it.
  std::uint64_t load64(DevAddr address) const;
  void store64(DevAddr address, std::uint64_t value);

  /// Copies by the fabric; false: not all of it lies in memory, nothing was moved. Aligned words are never torn.
  bool read(DevAddr address, std::span<std::byte> data) const;
  bool write(DevAddr address, std::span<const std::byte> data);

  /// All bytes zero again.
  void clear();

 private:
  std::uint64_t bytes_;
  std::byte* base_;
};

}  // namespace castor::gpu
