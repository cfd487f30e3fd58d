#include "runtime/driver/context.h"

#include <sys/mman.h>

#include <algorithm>

#include "runtime/driver/event.h"
#include "runtime/driver/fault_report.h"
#include "runtime/driver/handles.h"
#include "runtime/driver/module.h"
#include "runtime/hal/access.h"

namespace castor::driver {
namespace {

constexpr std::size_t kAddressAlign = 2 << 20;
std::atomic<unsigned long long> next_context{1};
std::atomic<unsigned long long> next_stream{1};

/// Keeps a range of this process's addresses free for device memory, so that no host pointer has the same value.
std::byte* reserve(std::size_t bytes) {
  void* base = ::mmap(nullptr, bytes + kAddressAlign, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  const auto at = reinterpret_cast<std::uintptr_t>(base);
  const auto aligned = (at + kAddressAlign - 1) & ~std::uintptr_t{kAddressAlign - 1};
  if (aligned != at) ::munmap(base, aligned - at);
  ::munmap(reinterpret_cast<void*>(aligned + bytes), at + kAddressAlign - aligned);
  return reinterpret_cast<std::byte*>(aligned);
}

}  // namespace

Context::Context(hal::Client& client, unsigned context_flags)
    : flags(context_flags), number(next_context++), client_(client), staging_(client), host_functions_(client, id_) {}

Result<std::unique_ptr<Context>> Context::create(hal::Client& client, unsigned flags) {
  std::unique_ptr<Context> context(new Context(client, flags));
  if (Status status = context->open(); !status) return status;
  return context;
}

Status Context::open() {
  const std::size_t memory = (device().memory_bytes + kAddressAlign - 1) & ~(kAddressAlign - 1);
  for (reserved_bytes_ = std::max(4 * memory, std::size_t{1} << 36); reserved_bytes_ >= memory; reserved_bytes_ /= 2) {
    reserved_bytes_ &= ~(kAddressAlign - 1);
    reserved_ = reserve(reserved_bytes_);
    if (reserved_ != nullptr) break;
  }
  if (reserved_ == nullptr) return {StatusCode::out_of_memory, "no address space for device memory"};
  auto id = client_.create_context(reinterpret_cast<std::uint64_t>(reserved_), reserved_bytes_);
  if (!id) return id.status();
  id_ = *id;
  open_ = true;
  slots_ = std::make_shared<PinnedSlots>(client_, id_);
  times_ = std::make_unique<PinnedSlots>(client_, id_);
  auto legacy = std::make_unique<Stream>(*this, Stream::Kind::legacy, true, 0, next_stream++);
  legacy_ = legacy.get();
  streams_[legacy_] = std::move(legacy);
  return {};
}

Context::~Context() {
  host_functions_.stop();
  drop_modules(*this);
  drop_events(*this);
  if (open_) (void)client_.destroy_context(id_);
  for (auto& [handle, stream] : streams_) Live<Stream>::remove(stream.get());
  streams_.clear();
  retired_.clear();
  queues_.clear();
  for (auto& [va, allocation] : memory_.take_all()) {
    if (allocation.host()) (void)client_.unpin(allocation.pinned);
  }
  if (reserved_ != nullptr) ::munmap(reserved_, reserved_bytes_);
}

CUresult Context::error() {
  if (const CUresult known = error_.load(); known != CUDA_SUCCESS || !stopped()) return known;
  const std::scoped_lock lock(error_mutex_);
  if (error_.load() != CUDA_SUCCESS) return error_.load();
  if (client_.lost()) {
    say(LogLevel::error, "the machine has gone away; nothing more can run on this device");
    error_.store(CUDA_ERROR_DEVICE_UNAVAILABLE);
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  }
  auto fault = client_.context_fault(id_);
  if (!fault) return result_of(fault.status());
  error_.store(fault->faulted != 0 ? report_fault(*this, fault->record) : CUDA_ERROR_LAUNCH_FAILED);
  return error_.load();
}

CUresult Context::result(const Status& status) {
  if (status) return error();
  const CUresult sticky = error();
  return sticky != CUDA_SUCCESS ? sticky : result_of(status);
}

Stream* Context::stream(CUstream handle) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY) return legacy_;
  if (handle == CU_STREAM_PER_THREAD) {
    const std::scoped_lock lock(mutex_);
    Stream*& mine = thread_streams_[std::this_thread::get_id()];
    if (mine == nullptr) {
      auto stream = std::make_unique<Stream>(*this, Stream::Kind::per_thread, true, 0, next_stream++);
      mine = stream.get();
      streams_[mine] = std::move(stream);
    }
    return mine;
  }
  return Live<Stream>::contains(handle) && &handle->context == this ? handle : nullptr;
}

Result<Stream*> Context::create_stream(unsigned stream_flags, int priority) {
  const bool blocking = (stream_flags & CU_STREAM_NON_BLOCKING) == 0;
  auto stream = std::make_unique<Stream>(*this, Stream::Kind::created, blocking, priority, next_stream++);
  Stream* const out = stream.get();
  const std::scoped_lock lock(mutex_);
  if (Status status = ready(*out); !status) return status;
  streams_[out] = std::move(stream);
  Live<Stream>::add(out);
  return out;
}

void Context::destroy_stream(Stream& stream) {
  const std::scoped_lock lock(mutex_);
  Live<Stream>::remove(&stream);
  const auto found = streams_.find(&stream);
  // The legacy stream has to wait for what is still running.
  if (stream.blocking && stream.timeline != nullptr && stream.joined_by_legacy < stream.submitted) {
    (void)submit_wait(*legacy_, *stream.timeline, stream.submitted);  // fails only in a context that has stopped
  }
  if (stream.queue != nullptr) retired_.push_back({std::move(stream.queue), stream.timeline, stream.submitted});
  streams_.erase(found);
}

void Context::collect_retired() {
  std::erase_if(retired_, [](const Retired& each) { return each.timeline->reached(each.until); });
}

Result<std::shared_ptr<Queue>> Context::take_queue() {
  collect_retired();
  for (const auto& queue : queues_) {
    if (queue.use_count() == 1) return queue;  // no stream's, and all of its packets are done
  }
  const std::size_t share = std::clamp<std::size_t>(device().queues / 4, 4, 64);
  if (queues_.size() < share) {
    auto queue = Queue::create(client_, id_);
    if (queue) queues_.push_back(*queue);
    if (queue || queues_.empty()) return queue;
  }
  // Streams on one queue keep an order that the program has not asked for, as they do on hardware with few connections.
  return queues_[next_shared_++ % queues_.size()];
}

Result<std::shared_ptr<Timeline>> Context::take_timeline() {
  auto slot = slots_->take();
  if (!slot) return slot.status();
  return std::make_shared<Timeline>(slots_, *slot);
}

CUresult Context::wait(const Timeline& timeline, std::uint64_t value, const std::function<void()>& before_sleep) {
  Status status = client_.wait([&] { return timeline.reached(value) || stopped(); }, before_sleep);
  if (const CUresult sticky = error(); sticky != CUDA_SUCCESS) return sticky;
  return result_of(status);
}

CUresult Context::synchronize(Stream& stream) {
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value = 0;
  {
    const std::scoped_lock lock(mutex_);
    timeline = stream.timeline;
    value = stream.submitted;
  }
  if (timeline == nullptr) return error();
  // Work raises no interrupts of its own; who is about to sleep asks for one behind it. That fence is waited for too: a query
  // right after must find nothing left in the stream.
  const Status status = client_.wait([&] { return timeline->reached(value) || stopped(); },
                                     [&] {
                                       const std::scoped_lock lock(mutex_);
                                       if (stream.queue == nullptr) return;
                                       (void)submit_fence(stream);
                                       value = stream.submitted;
                                     });
  if (const CUresult sticky = error(); sticky != CUDA_SUCCESS) return sticky;
  return result_of(status);
}

/// Streams may come and go while this waits: it holds on to their timelines only.
CUresult Context::synchronize() {
  std::vector<std::pair<std::shared_ptr<Timeline>, std::uint64_t>> points;
  {
    const std::scoped_lock lock(mutex_);
    for (auto& [handle, stream] : streams_) {
      if (stream->timeline == nullptr || stream->timeline->reached(stream->submitted)) continue;
      (void)submit_fence(*stream);  // fails only in a context that has stopped, which the wait finds out
      points.emplace_back(stream->timeline, stream->submitted);
    }
    for (const auto& entry : retired_) points.emplace_back(entry.timeline, entry.until);
  }
  for (const auto& [timeline, value] : points) {
    if (const CUresult result = wait(*timeline, value); result != CUDA_SUCCESS) return result;
  }
  return error();
}

}  // namespace castor::driver
