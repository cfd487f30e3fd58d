// One message of the HAL's socket with its file descriptors, in and out. Both ends use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/core/result.h"

namespace castor::hal {

inline constexpr std::size_t kMaxDescriptors = 4;

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release();
  void reset();

 private:
  int number_ = -1;
};

struct Packet {
  std::vector<std::byte> bytes;
  std::vector<Descriptor> descriptors;
};

/// device_lost if the peer is gone.
Status send_packet(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors = {});
/// Waits for a packet; device_lost if the peer is gone, invalid_value if the packet is too long.
Result<Packet> receive_packet(int socket);

/// A memfd of this size, close-on-exec, sealed against shrinking.
Result<Descriptor> shared_memory(const char* name, std::size_t bytes);

}  // namespace castor::hal
