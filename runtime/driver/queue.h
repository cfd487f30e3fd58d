// Queue: one user queue of the device, seen from the driver: ring of packets, doorbell, and a ring of parameter blocks. One stream's, or
// shared by several when the device has no more.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "gpu/abi/packet.h"
#include "platform/core/result.h"
#include "runtime/driver/pinned_slots.h"
#include "runtime/hal/client.h"

namespace castor::driver {

/// Any packet; all have the header first and signal, signal_value last.
union Packet {
  castor_packet_dispatch dispatch;
  castor_packet_copy copy;
  castor_packet_fill fill;
  castor_packet_semaphore semaphore;
};
static_assert(sizeof(Packet) == CASTOR_PACKET_BYTES);

class Queue {
 public:
  static Result<std::shared_ptr<Queue>> create(hal::Client& client, std::uint32_t context);
  ~Queue();

  /// Writes the packet and rings. Waits while the ring is full; device_lost if the context has stopped meanwhile.
  Status push(const Packet& packet);
  void ring() { client_.ring(number_); }
  /// Room for a kernel's parameters that stays untouched until `timeline` reaches the value given to `params_used_until`, which comes next.
  Result<std::byte*> params(std::size_t bytes, std::shared_ptr<Timeline> timeline);
  void params_used_until(std::uint64_t value);
  /// The FaultCause that stopped the context, 0 if none has.
  std::uint64_t error() const;

 private:
  struct Block {
    std::size_t begin, end;
    std::shared_ptr<Timeline> timeline;
    std::uint64_t until;
    bool done() const { return timeline->reached(until); }
  };
  Queue(hal::Client& client, std::uint32_t context) : client_(client), context_(context) {}
  Status wait(const std::function<bool()>& done);

  hal::Client& client_;
  const std::uint32_t context_;
  hal::PinnedMemory memory_;
  castor_queue_page* page_ = nullptr;
  Packet* ring_ = nullptr;
  std::byte* params_ = nullptr;
  std::uint32_t number_ = 0;
  bool created_ = false;
  std::uint64_t put_ = 0;
  std::size_t params_at_ = 0;
  std::deque<Block> blocks_;
};

}  // namespace castor::driver
