// The order in which packets of user queues start and complete.
#include <vector>

#include "gpu/model/queue_scheduler.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::gpu;

namespace {

Packet packet(unsigned type, std::uint32_t flags = 0) {
  castor_packet_semaphore layout{};
  layout.header = type | flags;
  return Packet::of(layout);
}

struct Queues {
  QueueScheduler scheduler{{.queues = 4, .contexts = 8, .vectors = 16}};
  QueueDescriptor descriptor{
      .pasid = 1, .vector = 4, .ring = VirtAddr{0x1000}, .entries = 64, .page = VirtAddr{0x2000}};

  void enable(unsigned queue, std::uint16_t pasid = 1) {
    descriptor.pasid = pasid;
    REQUIRE(scheduler.enable(queue, descriptor) == CASTOR_HOST_OK);
  }
  /// As the module does it: doorbell, PUT, packets.
  void feed(unsigned queue, const std::vector<Packet>& packets, std::uint16_t pasid = 1) {
    REQUIRE(scheduler.doorbell(queue, pasid));
    const auto fetch = scheduler.next_fetch();
    REQUIRE(fetch);
    CHECK(fetch->first.queue == queue);
    CHECK(scheduler.put_is(fetch->first, fetch->first.index + packets.size()));
    scheduler.fetched(fetch->first, packets);
  }
  /// Indices of the packets of a queue that start now.
  std::vector<std::uint64_t> started() {
    std::vector<std::uint64_t> indices;
    while (const auto start = scheduler.next_start()) {
      refs.push_back(start->ref);
      indices.push_back(start->ref.index);
    }
    return indices;
  }
  std::vector<PacketRef> refs;
};

using Indices = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("copies and dispatches overlap unless a barrier is asked for") {
  Queues q;
  q.enable(0);
  q.feed(0, {packet(CASTOR_PACKET_DISPATCH), packet(CASTOR_PACKET_COPY),
             packet(CASTOR_PACKET_COPY, CASTOR_PACKET_BARRIER), packet(CASTOR_PACKET_COPY)});
  CHECK(q.started() == Indices{0, 1});
  q.scheduler.complete(q.refs[1]);
  CHECK(q.started().empty());
  q.scheduler.complete(q.refs[0]);
  CHECK(q.started() == Indices{2, 3});
  q.scheduler.complete(q.refs[3]);
  q.scheduler.complete(q.refs[2]);
  CHECK_FALSE(q.scheduler.busy(0));
  CHECK(q.scheduler.packets() == 4);
}

TEST_CASE("signals, time stamps and fences come after all earlier packets") {
  for (const unsigned type : {CASTOR_PACKET_SEMAPHORE_SIGNAL, CASTOR_PACKET_TIMESTAMP, CASTOR_PACKET_FENCE}) {
    Queues q;
    q.enable(0);
    q.feed(0, {packet(CASTOR_PACKET_COPY), packet(type)});
    CHECK(q.started() == Indices{0});
    q.scheduler.complete(q.refs[0]);
    CHECK(q.started() == Indices{1});
  }
}

TEST_CASE("a wait begins at once, holds back what follows, and no other queue") {
  Queues q;
  q.enable(0);
  q.enable(1);
  q.feed(0, {packet(CASTOR_PACKET_COPY), packet(CASTOR_PACKET_SEMAPHORE_WAIT), packet(CASTOR_PACKET_COPY)});
  CHECK(q.started() == Indices{0, 1});
  q.feed(1, {packet(CASTOR_PACKET_COPY)});
  CHECK(q.started() == Indices{0});
  q.scheduler.complete(q.refs[1]);
  CHECK(q.started() == Indices{2});
}

TEST_CASE("a queue holds no more packets than its window, and goes on when there is room") {
  Queues q;
  q.enable(0);
  REQUIRE(q.scheduler.doorbell(0, 1));
  auto fetch = q.scheduler.next_fetch();
  REQUIRE(fetch);
  CHECK(q.scheduler.put_is(fetch->first, 40));
  CHECK(q.scheduler.available(fetch->first) == QueueScheduler::kWindow);
  q.scheduler.fetched(fetch->first, std::vector<Packet>(QueueScheduler::kWindow, packet(CASTOR_PACKET_COPY)));
  CHECK_FALSE(q.scheduler.next_fetch());
  CHECK(q.started().size() == QueueScheduler::kWindow);
  q.scheduler.complete(q.refs[0]);
  fetch = q.scheduler.next_fetch();
  REQUIRE(fetch);
  CHECK(fetch->first.index == QueueScheduler::kWindow);
  CHECK(q.scheduler.available(fetch->first) == 1);
}

TEST_CASE("PUT may be a ring ahead of what was fetched, no further") {
  Queues q;
  q.enable(0);
  REQUIRE(q.scheduler.doorbell(0, 1));
  const auto fetch = q.scheduler.next_fetch();
  CHECK_FALSE(q.scheduler.put_is(fetch->first, 65));
  CHECK_FALSE(q.scheduler.put_is(fetch->first, ~0ull));
  CHECK(q.scheduler.put_is(fetch->first, 64));
}

TEST_CASE("descriptors are checked") {
  Queues q;
  const QueueDescriptor good = q.descriptor;
  const auto answer = [&](auto change) {
    QueueDescriptor d = good;
    change(d);
    return q.scheduler.enable(0, d);
  };
  CHECK(answer([](auto& d) { d.ring = VirtAddr{0x1010}; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.page = VirtAddr{0x2004}; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.entries = 0; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.entries = 48; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.entries = 1u << 17; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.pasid = 8; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.vector = 16; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(answer([](auto& d) { d.ring = VirtAddr{1ull << 47}; }) == CASTOR_HOST_BAD_DESCRIPTOR);
  CHECK(q.scheduler.enable(4, good) == CASTOR_HOST_BAD_QUEUE);
  CHECK(q.scheduler.enable(0, good) == CASTOR_HOST_OK);
  CHECK(q.scheduler.enable(0, good) == CASTOR_HOST_BAD_QUEUE);
  CHECK(q.scheduler.disable(1) == CASTOR_HOST_BAD_QUEUE);
  CHECK_FALSE(q.scheduler.doorbell(0, 2));
  CHECK_FALSE(q.scheduler.doorbell(77, 1));
}

TEST_CASE("stopping a context forgets its packets and ignores their completion; others go on") {
  Queues q;
  q.enable(0, 1);
  q.enable(1, 2);
  q.feed(0, {packet(CASTOR_PACKET_COPY)}, 1);
  q.feed(1, {packet(CASTOR_PACKET_COPY)}, 2);
  CHECK(q.started().size() == 2);
  q.scheduler.stop_context(1);
  CHECK(q.scheduler.context_stopped(1));
  CHECK_FALSE(q.scheduler.valid(q.refs[0]));
  CHECK(q.scheduler.valid(q.refs[1]));
  q.scheduler.complete(q.refs[0]);
  CHECK(q.scheduler.packets() == 0);
  CHECK(q.scheduler.doorbell(0, 1));
  CHECK_FALSE(q.scheduler.next_fetch());
  q.scheduler.restart(0, 10);
  CHECK_FALSE(q.scheduler.context_stopped(1));
  q.feed(0, {packet(CASTOR_PACKET_COPY)}, 1);
  CHECK(q.started() == Indices{10});
  q.scheduler.remove_context(2);
  CHECK_FALSE(q.scheduler.doorbell(1, 2));
  q.enable(1, 1);  // the number is free again, and what was known of it forgotten
  CHECK(q.scheduler.enabled(1));
}

TEST_CASE("a queue number that was stopped starts afresh") {
  Queues q;
  q.enable(0, 3);
  q.scheduler.stop_context(3);
  q.scheduler.remove_context(3);
  q.enable(0, 3);
  CHECK(q.scheduler.enabled(0));
}
