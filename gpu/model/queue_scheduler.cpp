#include "gpu/model/queue_scheduler.h"

#include <algorithm>
#include <bit>

#include "gpu/abi/address_space.h"

namespace castor::gpu {

QueueScheduler::QueueScheduler(const Spec& spec) : spec_(spec), queues_(spec.queues) {}

castor_host_result QueueScheduler::enable(unsigned number, const QueueDescriptor& d) {
  if (number >= queues_.size() || queues_[number].in_use) return CASTOR_HOST_BAD_QUEUE;
  const bool aligned = d.ring.value % CASTOR_PACKET_BYTES == 0 && d.page.value % 8 == 0;
  const bool global = d.ring.value < CASTOR_GLOBAL_LIMIT && d.page.value < CASTOR_GLOBAL_LIMIT;
  if (!aligned || !global || d.pasid >= spec_.contexts || d.vector >= spec_.vectors ||
      !std::has_single_bit(d.entries) || d.entries > kMaxEntries) {
    return CASTOR_HOST_BAD_DESCRIPTOR;
  }
  const bool stopped = context_stopped(d.pasid);
  Queue& queue = queues_[number];
  empty(queue);
  queue.descriptor = d;
  queue.in_use = true;
  queue.stopped = stopped;
  queue.base = queue.put = 0;
  return CASTOR_HOST_OK;
}

castor_host_result QueueScheduler::disable(unsigned number) {
  if (number >= queues_.size() || !queues_[number].in_use) return CASTOR_HOST_BAD_QUEUE;
  empty(queues_[number]);
  queues_[number].in_use = false;
  return CASTOR_HOST_OK;
}

void QueueScheduler::stop_context(std::uint16_t pasid) {
  for (const unsigned number : queues_of(pasid)) {
    empty(queues_[number]);
    queues_[number].stopped = true;
  }
}

void QueueScheduler::remove_context(std::uint16_t pasid) {
  for (const unsigned number : queues_of(pasid)) {
    empty(queues_[number]);
    queues_[number].in_use = false;
  }
}

void QueueScheduler::restart(unsigned number, std::uint64_t index) {
  Queue& queue = queues_[number];
  empty(queue);
  queue.stopped = false;
  queue.base = queue.put = index;
}

bool QueueScheduler::doorbell(unsigned number, std::uint16_t pasid) {
  if (number >= queues_.size()) return false;
  Queue& queue = queues_[number];
  if (!queue.in_use || queue.descriptor.pasid != pasid) return false;
  queue.rung = true;
  list(number);
  return true;
}

std::optional<QueueScheduler::Fetch> QueueScheduler::next_fetch() {
  for (const unsigned number : work_) {
    Queue& queue = queues_[number];
    if (!wants_fetch(queue)) continue;
    queue.rung = false;
    return Fetch{{number, queue.epoch, queue.next()}, queue.descriptor, kWindow - queue.window.size()};
  }
  return std::nullopt;
}

bool QueueScheduler::put_is(const PacketRef& first, std::uint64_t put) {
  if (!valid(first)) return true;
  Queue& queue = queues_[first.queue];
  if (put - queue.next() > queue.descriptor.entries) return false;
  queue.put = put;
  return true;
}

std::uint64_t QueueScheduler::available(const PacketRef& first) const {
  if (!valid(first)) return 0;
  const Queue& queue = queues_[first.queue];
  return std::min<std::uint64_t>(queue.put - queue.next(), kWindow - queue.window.size());
}

void QueueScheduler::fetched(const PacketRef& first, std::span<const Packet> packets) {
  if (!valid(first)) return;
  for (const Packet& packet : packets) queues_[first.queue].window.push_back({.packet = packet});
  list(first.queue);
}

std::optional<QueueScheduler::Start> QueueScheduler::next_start() {
  while (!work_.empty()) {
    const unsigned number = work_.front();
    Queue& queue = queues_[number];
    if (queue.in_use && !queue.stopped) {
      const auto at = std::ranges::find(queue.window, false, &Entry::started);
      const auto position = static_cast<std::size_t>(at - queue.window.begin());
      if (at != queue.window.end() && can_start(queue, position)) {
        at->started = true;
        std::ranges::rotate(work_, work_.begin() + 1);  // each queue in turn
        return Start{{number, queue.epoch, queue.base + position}, queue.descriptor, at->packet};
      }
    }
    if (wants_fetch(queue)) return std::nullopt;  // let it fetch first
    queue.listed = false;
    work_.pop_front();
  }
  return std::nullopt;
}

// Packets start in order. A wait holds back what comes after it, a barrier and what reports on earlier packets wait for those.
bool QueueScheduler::can_start(const Queue& queue, std::size_t position) const {
  const Packet& packet = queue.window[position].packet;
  const bool alone = packet.has(CASTOR_PACKET_BARRIER) || packet.type() == CASTOR_PACKET_SEMAPHORE_SIGNAL ||
                     packet.type() == CASTOR_PACKET_TIMESTAMP || packet.type() == CASTOR_PACKET_FENCE;
  return std::all_of(queue.window.begin(), queue.window.begin() + static_cast<std::ptrdiff_t>(position),
                     [&](const Entry& earlier) {
                       const bool holds = earlier.packet.type() == CASTOR_PACKET_SEMAPHORE_WAIT;
                       return earlier.done || (!alone && !holds);
                     });
}

bool QueueScheduler::wants_fetch(const Queue& queue) const {
  if (!queue.in_use || queue.stopped || queue.window.size() >= kWindow) return false;
  return queue.rung || queue.put != queue.next();
}

bool QueueScheduler::valid(const PacketRef& ref) const {
  if (ref.queue >= queues_.size()) return false;
  const Queue& queue = queues_[ref.queue];
  return queue.in_use && !queue.stopped && queue.epoch == ref.epoch;
}

void QueueScheduler::complete(const PacketRef& ref) {
  if (!valid(ref)) return;
  Queue& queue = queues_[ref.queue];
  if (ref.index < queue.base || ref.index >= queue.next()) return;
  Entry& entry = queue.window[ref.index - queue.base];
  if (!entry.started || entry.done) return;
  entry.done = true;
  for (; !queue.window.empty() && queue.window.front().done; ++queue.base) queue.window.pop_front();
  ++completed_;
  list(ref.queue);
}

bool QueueScheduler::context_stopped(std::uint16_t pasid) const {
  return std::ranges::any_of(
      queues_, [&](const Queue& queue) { return queue.in_use && queue.stopped && queue.descriptor.pasid == pasid; });
}

std::vector<unsigned> QueueScheduler::queues_of(std::uint16_t pasid) const {
  std::vector<unsigned> numbers;
  for (unsigned number = 0; number < queues_.size(); ++number) {
    if (queues_[number].in_use && queues_[number].descriptor.pasid == pasid) numbers.push_back(number);
  }
  return numbers;
}

void QueueScheduler::reset() {
  for (Queue& queue : queues_) {
    empty(queue);
    queue.in_use = queue.stopped = queue.listed = false;
  }
  work_.clear();
}

void QueueScheduler::empty(Queue& queue) {
  queue.window.clear();
  queue.rung = false;
  queue.put = queue.base;
  ++queue.epoch;
}

void QueueScheduler::list(unsigned number) {
  if (queues_[number].listed) return;
  queues_[number].listed = true;
  work_.push_back(number);
}

}  // namespace castor::gpu
