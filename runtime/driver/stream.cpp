#include "runtime/driver/stream.h"

#include "runtime/driver/context.h"

namespace castor::driver {
namespace {

Status push(Stream& stream, Packet packet) {
  packet.semaphore.signal = stream.timeline->va();
  packet.semaphore.signal_value = stream.submitted + 1;
  if (Status status = stream.queue->push(packet); !status) return status;
  ++stream.submitted;
  return {};
}

/// Does anything of `value` remain to be waited for?
bool outstanding(const Stream& stream, std::uint64_t joined) {
  return stream.timeline != nullptr && stream.submitted > joined && !stream.timeline->reached(stream.submitted);
}

/// The legacy default stream waits for all blocking streams, and they for it.
Status keep_legacy_order(Stream& stream) {
  Stream& legacy = stream.context.legacy_stream();
  if (&stream != &legacy) {
    if (!stream.blocking || !outstanding(legacy, stream.legacy_joined)) return {};
    stream.legacy_joined = legacy.submitted;
    return submit_wait(stream, *legacy.timeline, legacy.submitted);
  }
  Status status;
  stream.context.each_stream([&](Stream& other) {
    if (!status || &other == &legacy || !other.blocking || !outstanding(other, other.joined_by_legacy)) return;
    other.joined_by_legacy = other.submitted;
    status = submit_wait(legacy, *other.timeline, other.submitted);
  });
  return status;
}

}  // namespace

Packet make_packet(castor_packet_type type, std::uint32_t flags) {
  Packet packet{};
  packet.semaphore.header =
      type | flags | CASTOR_PACKET_BARRIER | CASTOR_PACKET_ACQUIRE_SYSTEM | CASTOR_PACKET_RELEASE_SYSTEM;
  return packet;
}

Status ready(Stream& stream) {
  if (stream.timeline == nullptr) {
    auto timeline = stream.context.take_timeline();
    if (!timeline) return timeline.status();
    stream.timeline = *timeline;
    stream.submitted = stream.timeline->reached();
  }
  if (stream.queue != nullptr) return {};
  auto queue = stream.context.take_queue();
  if (!queue) return queue.status();
  stream.queue = std::move(*queue);
  return {};
}

Status submit_wait(Stream& stream, const Timeline& timeline, std::uint64_t value) {
  if (Status status = ready(stream); !status) return status;
  if (timeline.reached(value)) return {};
  Packet packet = make_packet(CASTOR_PACKET_SEMAPHORE_WAIT);
  packet.semaphore.address = timeline.va();
  packet.semaphore.value = value;
  return push(stream, packet);
}

Status submit_fence(Stream& stream) {
  if (Status status = ready(stream); !status) return status;
  return push(stream, make_packet(CASTOR_PACKET_FENCE, CASTOR_PACKET_INTERRUPT));
}

Status submit(Stream& stream, Packet packet) {
  if (Status status = ready(stream); !status) return status;
  if (Status status = keep_legacy_order(stream); !status) return status;
  return push(stream, packet);
}

}  // namespace castor::driver
