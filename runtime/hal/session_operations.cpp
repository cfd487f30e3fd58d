// What each operation of the protocol does. Nothing of a request is believed: handles are looked up among the session's own.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/hal/session.h"

namespace castor::hal {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMaxPin = std::uint64_t{1} << 40;

Result<Nothing> done(const Status& status) {
  if (!status) return status;
  return Nothing{};
}

/// Is it a memfd of at least that size that can never shrink? (Else its owner could kill the machine with SIGBUS.)
Status check_memory_file(int file, std::uint64_t bytes) {
  struct stat info{};
  if (::fstat(file, &info) != 0 || static_cast<std::uint64_t>(info.st_size) < bytes) {
    return {StatusCode::invalid_value, "pin: the file is smaller than said"};
  }
  const int seals = ::fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return {StatusCode::invalid_value, "pin: the file is not a memfd sealed against shrinking"};
  }
  return {};
}

}  // namespace

Result<HelloReply> Session::hello(const HelloRequest& request, Packet&) {
  if (request.version != kVersion) return Status{StatusCode::not_supported, "another version of the protocol"};
  greeted_ = true;
  return HelloReply{kVersion, 1, static_cast<std::uint32_t>((sizeof(SharedPage) + kPage - 1) & ~(kPage - 1)),
                    static_cast<std::uint32_t>(::getpid())};
}

Result<Nothing> Session::ping(const Nothing&, Packet&) { return done(device_.ping()); }
Result<DeviceInfo> Session::device_info(const Nothing&, Packet&) { return DeviceInfo{device_.discovery()}; }
Result<MemoryInfo> Session::memory_info(const Nothing&, Packet&) { return device_.memory_info(); }
Result<Telemetry> Session::telemetry(const Nothing&, Packet&) { return device_.telemetry(); }

Result<ContextReply> Session::context_create(const ContextRequest& request, Packet&) {
  auto context = device_.create_context(request.va_base, request.va_bytes);
  if (!context) return context.status();
  if (*context < kMaxContexts) shared_->faulted[*context].store(0);
  contexts_.insert(*context);
  set_owned(*context, true);
  return ContextReply{*context};
}

Result<Nothing> Session::context_destroy(const ContextReply& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  Status status = device_.destroy_context(request.context);
  forget_context(request.context);
  return done(status);
}

Result<Nothing> Session::context_reset(const ContextReply& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  Status status = device_.reset_context(request.context);
  if (status && request.context < kMaxContexts) shared_->faulted[request.context].store(0);
  return done(status);
}

Result<FaultReply> Session::context_fault(const ContextReply& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  return device_.context_fault(request.context);
}

Result<Address> Session::memory_alloc(const AllocRequest& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  auto va = device_.alloc(request.context, request.bytes, request.access);
  if (!va) return va.status();
  return Address{*va};
}

Result<Nothing> Session::memory_free(const MemoryRequest& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  Status status = device_.free(request.context, request.va);
  const auto mapping = mappings_.find({request.context, request.va});
  if (status && mapping != mappings_.end()) {
    --pins_.at(mapping->second).mappings;
    mappings_.erase(mapping);
  }
  return done(status);
}

Result<Nothing> Session::memory_protect(const MemoryRequest& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  return done(device_.protect(request.context, request.va, request.bytes, request.access));
}

Result<PinReply> Session::pin(const PinRequest& request, Packet& packet) {
  if (request.bytes == 0 || request.bytes % kPage != 0 || request.bytes > kMaxPin) {
    return Status{StatusCode::invalid_value, "pin: not a number of whole pages"};
  }
  const int file = packet.descriptors.front().get();
  if (Status status = check_memory_file(file, request.bytes); !status) return status;
  void* data = ::mmap(nullptr, request.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) return Status{StatusCode::out_of_memory, "pin: the memory cannot be mapped"};
  auto pin = device_.pin({static_cast<std::byte*>(data), request.bytes});
  if (!pin) {
    ::munmap(data, request.bytes);
    return pin.status();
  }
  pins_[*pin] = Pin{static_cast<std::byte*>(data), request.bytes};
  return PinReply{*pin};
}

Result<Nothing> Session::unpin(const PinReply& request, Packet&) {
  const auto found = pins_.find(request.pin);
  if (found == pins_.end()) return Status{StatusCode::not_found, "unpin: no such pinned memory"};
  if (found->second.mappings != 0) return Status{StatusCode::busy, "unpin: still mapped in a context"};
  Status status = device_.unpin(request.pin);
  ::munmap(found->second.data, found->second.bytes);
  pins_.erase(found);
  return done(status);
}

Result<Nothing> Session::map_host(const MapHostRequest& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  const auto found = pins_.find(request.pin);
  if (found == pins_.end()) return Status{StatusCode::not_found, "map_host: no such pinned memory"};
  if (request.bytes > found->second.bytes) return Status{StatusCode::invalid_value, "map_host: more than is pinned"};
  Status status = device_.map_host(request.context, request.pin, request.va, request.bytes, request.access);
  if (!status) return status;
  mappings_[{request.context, request.va}] = request.pin;
  ++found->second.mappings;
  return Nothing{};
}

Result<QueueReply> Session::queue_create(const QueueRequest& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  auto queue = device_.create_queue(request.context, request.ring, request.entries, request.page);
  if (!queue) return queue.status();
  queues_[*queue] = request.context;
  return QueueReply{request.context, *queue};
}

Result<Nothing> Session::queue_destroy(const QueueReply& request, Packet&) {
  if (Status status = own(request.context); !status) return status;
  const auto found = queues_.find(request.queue);
  if (found == queues_.end() || found->second != request.context) {
    return Status{StatusCode::not_found, "queue_destroy: no such queue"};
  }
  Status status = device_.destroy_queue(request.context, request.queue);
  if (status) queues_.erase(found);
  return done(status);
}

}  // namespace castor::hal
