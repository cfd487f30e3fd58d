// Chapter: event management.
#include <algorithm>
#include <vector>

#include "runtime/driver/event.h"
#include "runtime/driver/handles.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

std::mutex events_mutex;
std::vector<std::unique_ptr<Event>>& events() {
  static auto* const all = new std::vector<std::unique_ptr<Event>>;
  return *all;
}

/// What the event stood for when it was last recorded.
struct Point {
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value = 0;
  bool done() const { return timeline == nullptr || timeline->reached(value); }
};

Point point_of(Event& event) {
  const std::scoped_lock lock(event.mutex);
  return {event.timeline, event.value};
}

Packet record_packet(const Event& event) {
  if (!event.timed()) return make_packet(CASTOR_PACKET_NOP, CASTOR_PACKET_INTERRUPT);
  Packet packet = make_packet(CASTOR_PACKET_TIMESTAMP, CASTOR_PACKET_INTERRUPT);
  packet.semaphore.address = reinterpret_cast<std::uint64_t>(event.time);
  return packet;
}

}  // namespace

void drop_events(Context& context) {
  const std::scoped_lock lock(events_mutex);
  std::erase_if(events(), [&](const auto& event) {
    if (&event->context != &context) return false;
    Live<Event>::remove(event.get());
    return true;
  });
}

CUresult cuEventCreate(CUevent* out, unsigned int flags) {
  constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  if (out == nullptr || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CU_EVENT_INTERPROCESS) != 0) {
    return (flags & CU_EVENT_DISABLE_TIMING) != 0 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
  }
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  auto event = std::unique_ptr<Event>(new Event{*context, flags, nullptr, {}, nullptr, 0});
  if ((flags & CU_EVENT_DISABLE_TIMING) == 0) {
    auto slot = context->take_time();
    if (!slot) return context->result(slot.status());
    event->time = *slot;
  }
  Live<Event>::add(event.get());
  *out = event.get();
  const std::scoped_lock lock(events_mutex);
  events().push_back(std::move(event));
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  if (!Live<Event>::remove(event)) return CUDA_ERROR_INVALID_HANDLE;
  // A record that is still on its way will write the timestamp: the slot goes back only when it has.
  if (event->timed() && point_of(*event).done()) event->context.give_time(event->time);
  const std::scoped_lock lock(events_mutex);
  std::erase_if(events(), [&](const auto& each) { return each.get() == event; });
  return CUDA_SUCCESS;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream handle, unsigned int flags) {
  if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Event>::contains(event)) return CUDA_ERROR_INVALID_HANDLE;
  Context& context = event->context;
  if (const CUresult result = context.error(); result != CUDA_SUCCESS) return result;
  Stream* stream = context.stream(default_stream(handle));
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const std::scoped_lock lock(context.mutex());
  if (Status status = submit(*stream, record_packet(*event)); !status) return context.result(status);
  const std::scoped_lock event_lock(event->mutex);
  event->timeline = stream->timeline;
  event->value = stream->submitted;
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) { return driver::cuEventRecordWithFlags(event, stream, 0); }

CUresult cuEventQuery(CUevent event) {
  if (!Live<Event>::contains(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult result = event->context.error(); result != CUDA_SUCCESS) return result;
  return point_of(*event).done() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent event) {
  if (!Live<Event>::contains(event)) return CUDA_ERROR_INVALID_HANDLE;
  const Point point = point_of(*event);
  if (point.timeline == nullptr) return event->context.error();
  return event->context.wait(*point.timeline, point.value);
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  if (milliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Event>::contains(start) || !Live<Event>::contains(end)) return CUDA_ERROR_INVALID_HANDLE;
  if (!start->timed() || !end->timed() || &start->context != &end->context) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult result = start->context.error(); result != CUDA_SUCCESS) return result;
  const Point from = point_of(*start), to = point_of(*end);
  if (from.timeline == nullptr || to.timeline == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!from.done() || !to.done()) return CUDA_ERROR_NOT_READY;
  const auto nanoseconds = static_cast<std::int64_t>(end->time->load() - start->time->load());
  *milliseconds = static_cast<float>(static_cast<double>(nanoseconds) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned int flags) {
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Event>::contains(event)) return CUDA_ERROR_INVALID_HANDLE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Stream* stream = context->stream(default_stream(handle));
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const Point point = point_of(*event);
  if (point.done()) return CUDA_SUCCESS;
  if (&event->context != context) {
    // The other context's memory is not mapped here; the host waits in the stream's place.
    return event->context.wait(*point.timeline, point.value);
  }
  const std::scoped_lock lock(context->mutex());
  return context->result(submit_wait(*stream, *point.timeline, point.value));
}

}  // namespace castor::driver
