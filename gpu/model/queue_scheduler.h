// QueueScheduler: the user queues of block HOST. Decides which queue fetches and which packet starts; moves no data itself.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "gpu/abi/gsp.h"
#include "gpu/model/packet.h"
#include "platform/core/guest.h"

namespace castor::gpu {

struct QueueDescriptor {
  std::uint16_t pasid = 0;
  unsigned vector = 0;
  VirtAddr ring{};  // of packets
  std::uint32_t entries = 0;
  VirtAddr page{};  // struct castor_queue_page
};

/// Names one packet; means nothing any more once its queue has been stopped.
struct PacketRef {
  unsigned queue = 0;
  std::uint32_t epoch = 0;
  std::uint64_t index = 0;  // of the packet in its queue, as in PUT and GET
};

class QueueScheduler {
 public:
  static constexpr unsigned kWindow = 32;  // packets of one queue that are fetched and not completed
  static constexpr std::uint32_t kMaxEntries = 65536;

  struct Spec {
    unsigned queues, contexts, vectors;
  };
  explicit QueueScheduler(const Spec& spec);

  // What the firmware commands.
  castor_host_result enable(unsigned queue, const QueueDescriptor& descriptor);
  castor_host_result disable(unsigned queue);
  /// The context's queues stop at once; they remain, stopped, until `remove_context` or `restart`.
  void stop_context(std::uint16_t pasid);
  void remove_context(std::uint16_t pasid);
  /// Enables a stopped queue again, empty, at this index.
  void restart(unsigned queue, std::uint64_t index);

  // What the user does. False: not his queue, or none.
  bool doorbell(unsigned queue, std::uint16_t pasid);

  // Fetching: PUT is read first, then packets from `first` on.
  struct Fetch {
    PacketRef first;
    QueueDescriptor descriptor;
    std::uint64_t room;  // packets the queue takes at most
  };
  std::optional<Fetch> next_fetch();
  /// False: PUT is further ahead than the ring is long.
  bool put_is(const PacketRef& first, std::uint64_t put);
  /// Packets of the queue that lie between `first` and PUT and have room.
  std::uint64_t available(const PacketRef& first) const;
  void fetched(const PacketRef& first, std::span<const Packet> packets);

  // Execution. A packet that has been started ends with `complete`.
  struct Start {
    PacketRef ref;
    QueueDescriptor descriptor;
    Packet packet;
  };
  std::optional<Start> next_start();
  bool valid(const PacketRef& ref) const;
  void complete(const PacketRef& ref);

  bool enabled(unsigned queue) const {
    return queue < queues_.size() && queues_[queue].in_use && !queues_[queue].stopped;
  }
  bool stopped(unsigned queue) const {
    return queue < queues_.size() && queues_[queue].in_use && queues_[queue].stopped;
  }
  bool busy(unsigned queue) const { return queue < queues_.size() && !queues_[queue].window.empty(); }
  bool context_stopped(std::uint16_t pasid) const;
  std::vector<unsigned> queues_of(std::uint16_t pasid) const;
  const QueueDescriptor& descriptor(unsigned queue) const { return queues_[queue].descriptor; }
  std::uint64_t packets() const { return completed_; }
  void reset();

 private:
  struct Entry {
    Packet packet;
    bool started = false, done = false;
  };
  struct Queue {
    QueueDescriptor descriptor;
    bool in_use = false, stopped = false, rung = false, listed = false;
    std::uint32_t epoch = 0;
    std::uint64_t base = 0;    // index of window.front()
    std::uint64_t put = 0;     // as last read
    std::deque<Entry> window;  // fetched and not completed
    std::uint64_t next() const { return base + window.size(); }
  };

  bool can_start(const Queue& queue, std::size_t position) const;
  bool wants_fetch(const Queue& queue) const;
  void empty(Queue& queue);
  void list(unsigned queue);

  Spec spec_;
  std::vector<Queue> queues_;
  std::deque<unsigned> work_;  // queues that may have something to fetch or to start
  std::uint64_t completed_ = 0;
};

}  // namespace castor::gpu
