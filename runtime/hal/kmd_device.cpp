#include "runtime/hal/kmd_device.h"

#include <fmt/format.h>

#include "runtime/hal/access.h"

namespace castor::hal {
namespace {

static_assert(kRead == CASTOR_KMD_READ && kWrite == CASTOR_KMD_WRITE && kExecute == CASTOR_KMD_EXECUTE &&
              kAtomic == CASTOR_KMD_ATOMIC);

StatusCode code_of(int error) {
  switch (error) {
    case CASTOR_KMD_EINVAL: return StatusCode::invalid_value;
    case CASTOR_KMD_ENOENT: return StatusCode::not_found;
    case CASTOR_KMD_ENOMEM: return StatusCode::out_of_memory;
    case CASTOR_KMD_EBUSY: return StatusCode::busy;
    case CASTOR_KMD_ENOSYS: return StatusCode::not_supported;
    case CASTOR_KMD_EFAULT:
    case CASTOR_KMD_ELOST:
    case CASTOR_KMD_ETIMEOUT: return StatusCode::device_lost;
    default: return StatusCode::io_error;
  }
}

Status status_of(const char* what, int error) {
  if (error >= 0) return {};
  return {code_of(error), fmt::format("{}: {}", what, castor_kmd_error_text(error))};
}

}  // namespace

KmdDevice::KmdDevice(Executor& executor, HostMemory& memory, castor_kmd* kmd)
    : executor_(executor), memory_(memory), kmd_(kmd), discovery_(*castor_kmd_discovery(kmd)) {}

template <class Work>
Status KmdDevice::on_driver(const char* what, Work work) {
  int error = 0;
  if (!executor_.run([&] { error = work(); })) return {StatusCode::device_lost, "the machine has stopped"};
  return status_of(what, error);
}

castor_kmd_context* KmdDevice::find(std::uint32_t context) {
  const auto found = contexts_.find(context);
  return found == contexts_.end() ? nullptr : found->second;
}

/// Runs `work` on the driver's thread with the context, or answers that there is none.
template <class Work>
Status KmdDevice::on_context(const char* what, std::uint32_t context, Work work) {
  return on_driver(what, [&] {
    castor_kmd_context* found = find(context);
    return found == nullptr ? static_cast<int>(CASTOR_KMD_ENOENT) : work(found);
  });
}

castor_discovery_header KmdDevice::discovery() { return discovery_; }

Status KmdDevice::ping() {
  return on_driver("ping", [&] { return castor_kmd_ping(kmd_); });
}

Result<MemoryInfo> KmdDevice::memory_info() {
  MemoryInfo info{};
  Status status = on_driver("memory info", [&] {
    castor_kmd_memory_info(kmd_, &info.free_bytes, &info.total_bytes);
    return 0;
  });
  if (!status) return status;
  return info;
}

Result<Telemetry> KmdDevice::telemetry() {
  struct castor_kmd_telemetry reading{};
  Status status = on_driver("telemetry", [&] { return ::castor_kmd_telemetry(kmd_, &reading); });
  if (!status) return status;
  return Telemetry{reading.clock_khz, reading.temperature_millicelsius, reading.power_milliwatt};
}

Result<std::uint32_t> KmdDevice::create_context(std::uint64_t va_base, std::uint64_t va_bytes) {
  std::uint32_t pasid = 0;
  Status status = on_driver("new context", [&] {
    castor_kmd_context* context = nullptr;
    const int error = castor_kmd_context_create(kmd_, va_base, va_bytes, &context);
    if (error != 0) return error;
    pasid = castor_kmd_context_pasid(context);
    contexts_[pasid] = context;
    return 0;
  });
  if (!status) return status;
  return pasid;
}

Status KmdDevice::destroy_context(std::uint32_t context) {
  return on_context("destroy context", context, [&](castor_kmd_context* found) {
    contexts_.erase(context);
    castor_kmd_context_destroy(found);
    return 0;
  });
}

Status KmdDevice::reset_context(std::uint32_t context) {
  return on_context("reset context", context, [](auto* found) { return castor_kmd_context_reset(found); });
}

Result<FaultReply> KmdDevice::context_fault(std::uint32_t context) {
  FaultReply reply{};
  Status status = on_context("fault of context", context, [&](castor_kmd_context* found) {
    reply.faulted = static_cast<std::uint64_t>(castor_kmd_context_fault(found, &reply.record));
    return 0;
  });
  if (!status) return status;
  return reply;
}

Result<std::uint64_t> KmdDevice::alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t access) {
  std::uint64_t va = 0;
  Status status = on_context("allocate device memory", context,
                             [&](auto* found) { return castor_kmd_memory_alloc(found, bytes, access, &va); });
  if (!status) return status;
  return va;
}

Status KmdDevice::free(std::uint32_t context, std::uint64_t va) {
  return on_context("free memory", context, [&](auto* found) { return castor_kmd_memory_free(found, va); });
}

Status KmdDevice::protect(std::uint32_t context, std::uint64_t va, std::uint64_t bytes, std::uint32_t access) {
  return on_context("protect memory", context,
                    [&](auto* found) { return castor_kmd_memory_protect(found, va, bytes, access); });
}

Result<std::uint64_t> KmdDevice::pin(std::span<std::byte> memory) {
  std::optional<Result<std::uint64_t>> pin;
  if (!executor_.run([&] { pin = memory_.add(memory); }))
    return Status{StatusCode::device_lost, "the machine has stopped"};
  return *pin;
}

Status KmdDevice::unpin(std::uint64_t pin) {
  return on_driver("unpin", [&] {
    memory_.remove(pin);
    return 0;
  });
}

Status KmdDevice::map_host(std::uint32_t context, std::uint64_t pin, std::uint64_t va, std::uint64_t bytes,
                           std::uint32_t access) {
  return on_context("map host memory", context,
                    [&](auto* found) { return castor_kmd_map_host(found, pin, va, bytes, access); });
}

Result<std::uint32_t> KmdDevice::create_queue(std::uint32_t context, std::uint64_t ring, std::uint32_t entries,
                                              std::uint64_t page) {
  std::uint32_t queue = 0;
  Status status = on_context("new queue", context, [&](castor_kmd_context* found) {
    return castor_kmd_queue_create(found, ring, entries, page, &queue);
  });
  if (!status) return status;
  return queue;
}

Status KmdDevice::destroy_queue(std::uint32_t context, std::uint32_t queue) {
  return on_context("destroy queue", context, [&](auto* found) { return castor_kmd_queue_destroy(found, queue); });
}

void KmdDevice::doorbell(std::uint32_t context, std::uint32_t queue) {
  executor_.post([this, context, queue] {
    if (castor_kmd_context* found = find(context); found != nullptr) (void)castor_kmd_doorbell(found, queue);
  });
}

}  // namespace castor::hal
