#include "runtime/driver/queue.h"

#include <atomic>

#include "runtime/hal/access.h"

namespace castor::driver {
namespace {

// Layout of a queue's pinned memory.
constexpr std::uint32_t kEntries = 1024;
constexpr std::size_t kRingOffset = 4096;
constexpr std::size_t kParamsOffset = kRingOffset + kEntries * sizeof(Packet);
constexpr std::size_t kParamsBytes = 256 * 1024;
constexpr std::size_t kParamsAlign = 64;

std::uint64_t load(const std::uint64_t& word) {
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_acquire);
}

}  // namespace

Result<std::shared_ptr<Queue>> Queue::create(hal::Client& client, std::uint32_t context) {
  std::shared_ptr<Queue> queue(new Queue(client, context));
  auto memory = client.pin(kParamsOffset + kParamsBytes);
  if (!memory) return memory.status();
  queue->memory_ = *memory;
  queue->page_ = reinterpret_cast<castor_queue_page*>(memory->data);
  queue->ring_ = reinterpret_cast<Packet*>(memory->data + kRingOffset);
  queue->params_ = memory->data + kParamsOffset;
  if (Status status = client.map_host(context, *memory, hal::kData); !status) return status;
  auto number = client.create_queue(context, memory->va() + kRingOffset, kEntries, memory->va());
  if (!number) return number.status();
  queue->number_ = *number;
  queue->created_ = true;
  return queue;
}

Queue::~Queue() {
  // What a lost machine or a destroyed context held is gone already; the answers do not matter.
  if (created_) (void)client_.destroy_queue(context_, number_);
  if (memory_.data == nullptr) return;
  (void)client_.free(context_, memory_.va());
  (void)client_.unpin(memory_);
}

std::uint64_t Queue::error() const { return load(page_->error); }

Status Queue::wait(const std::function<bool()>& done) {
  Status status = client_.wait([&] { return done() || error() != 0 || client_.faulted(context_); });
  if (!status) return status;
  if (!done()) return {StatusCode::device_lost, "the context has been stopped by a fault"};
  return {};
}

Status Queue::push(const Packet& packet) {
  if (put_ - load(page_->get) >= kEntries) {
    if (Status status = wait([&] { return put_ - load(page_->get) < kEntries; }); !status) return status;
  }
  ring_[put_ % kEntries] = packet;
  std::atomic_ref(page_->put).store(++put_, std::memory_order_release);
  ring();
  return {};
}

Result<std::byte*> Queue::params(std::size_t bytes, std::shared_ptr<Timeline> timeline) {
  bytes = (bytes + kParamsAlign - 1) & ~(kParamsAlign - 1);
  if (bytes > kParamsBytes / 2) return Status{StatusCode::invalid_value, "parameters of a kernel are too large"};
  const std::size_t begin = params_at_ + bytes <= kParamsBytes ? params_at_ : 0;
  const auto in_the_way = [&](const Block& block) { return block.begin < begin + bytes && begin < block.end; };
  while (!blocks_.empty() && (blocks_.front().done() || in_the_way(blocks_.front()))) {
    if (Status status = wait([&] { return blocks_.front().done(); }); !status) return status;
    blocks_.pop_front();
  }
  params_at_ = begin + bytes;
  blocks_.push_back({begin, begin + bytes, std::move(timeline), 0});
  return params_ + begin;
}

void Queue::params_used_until(std::uint64_t value) { blocks_.back().until = value; }

}  // namespace castor::driver
