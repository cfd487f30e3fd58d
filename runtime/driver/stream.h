// Stream: packets in order on one user queue, completion on one timeline. Order between streams is made with semaphore packets.
// Submission happens under the context's mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/driver/queue.h"

namespace castor::driver {
class Context;
}

/// What a CUstream points to.
struct CUstream_st {
  enum class Kind { legacy, per_thread, created };

  CUstream_st(castor::driver::Context& owner, Kind stream_kind, bool does_block, int stream_priority,
              unsigned long long number)
      : context(owner), kind(stream_kind), blocking(does_block), priority(stream_priority), id(number) {}

  castor::driver::Context& context;
  const Kind kind;
  const bool blocking;  // keeps the order with the legacy default stream
  const int priority;
  const unsigned long long id;

  // Under the context's mutex.
  std::shared_ptr<castor::driver::Queue> queue;  // on first use
  std::shared_ptr<castor::driver::Timeline> timeline;
  std::uint64_t submitted = 0;         // last value given out
  std::uint64_t legacy_joined = 0;     // legacy: unused; else the legacy stream's value that this one waits for already
  std::uint64_t joined_by_legacy = 0;  // value of this one that the legacy stream waits for already
};

namespace castor::driver {

using Stream = CUstream_st;

/// A packet with type and flags, everything else zero.
Packet make_packet(castor_packet_type type, std::uint32_t flags = 0);

/// Appends the packet in stream order. Afterwards stream.timeline reaches stream.submitted when it is done.
Status submit(Stream& stream, Packet packet);
/// Makes what is submitted to `stream` from now on wait for `value` of `timeline`.
Status submit_wait(Stream& stream, const Timeline& timeline, std::uint64_t value);
/// Asks for an interrupt behind everything submitted so far; in no order with other streams.
Status submit_fence(Stream& stream);
/// The stream's queue and timeline exist afterwards.
Status ready(Stream& stream);

}  // namespace castor::driver
