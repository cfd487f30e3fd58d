// A queue packet as the hardware reads it: 64 bytes with typed looks at them, and the checks that need no memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gpu/abi/fault_record.h"
#include "gpu/abi/packet.h"

namespace castor::gpu {

struct Packet {
  std::array<std::byte, CASTOR_PACKET_BYTES> bytes{};

  std::uint32_t header() const { return as<std::uint32_t>(); }
  unsigned type() const { return CASTOR_PACKET_TYPE(header()); }
  bool has(std::uint32_t flag) const { return (header() & flag) != 0; }

  template <class Layout>
  Layout as() const {
    static_assert(sizeof(Layout) <= CASTOR_PACKET_BYTES);
    Layout layout;
    std::memcpy(&layout, bytes.data(), sizeof layout);
    return layout;
  }
  template <class Layout>
  static Packet of(const Layout& layout) {
    Packet packet;
    std::memcpy(packet.bytes.data(), &layout, sizeof layout);
    return packet;
  }

  /// The completion word every kind of packet ends with; address 0: none.
  std::uint64_t signal() const { return as<castor_packet_semaphore>().signal; }
  std::uint64_t signal_value() const { return as<castor_packet_semaphore>().signal_value; }
};

static_assert(offsetof(castor_packet_dispatch, signal) == offsetof(castor_packet_semaphore, signal));
static_assert(offsetof(castor_packet_copy, signal) == offsetof(castor_packet_semaphore, signal));
static_assert(offsetof(castor_packet_fill, signal) == offsetof(castor_packet_semaphore, signal));

/// 0, or the castor_packet_problem of a packet that can be seen to be wrong by itself.
inline unsigned packet_problem(const Packet& packet) {
  constexpr std::uint32_t kFlags = CASTOR_PACKET_BARRIER | CASTOR_PACKET_INTERRUPT | CASTOR_PACKET_ACQUIRE_SYSTEM |
                                   CASTOR_PACKET_RELEASE_SYSTEM | CASTOR_PACKET_COOPERATIVE;
  if (packet.type() > CASTOR_PACKET_FENCE || (packet.header() & ~(kFlags | 0xffu)) != 0) return CASTOR_PACKET_BAD_TYPE;
  if (packet.type() == CASTOR_PACKET_FILL) {
    const auto fill = packet.as<castor_packet_fill>();
    const auto size = fill.element_bytes;
    if ((size != 1 && size != 2 && size != 4) || fill.row_bytes % size != 0) return CASTOR_PACKET_BAD_COPY;
  }
  return 0;
}

}  // namespace castor::gpu
