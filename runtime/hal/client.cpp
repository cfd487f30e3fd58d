#include "runtime/hal/client.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/futex.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>

#include "runtime/hal/channel.h"
#include "runtime/hal/wire.h"

namespace castor::hal {
namespace {

constexpr std::size_t kPage = 4096;
constexpr int kSpins = 2000;
constexpr auto kSleep = std::chrono::milliseconds(20);  // then the socket is looked at

Status gone() { return {StatusCode::device_lost, "the machine has gone away"}; }

StatusCode code_of(std::uint16_t word) {
  const auto code = static_cast<StatusCode>(word);
  return code > StatusCode::ok && code <= StatusCode::timeout ? code : StatusCode::io_error;
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds limit) {
  const timespec time{0, static_cast<long>(limit.count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &time, nullptr, 0);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Result<std::unique_ptr<Client>> Client::connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Status{StatusCode::invalid_value, "CASTOR_SOCKET is not a usable path: '" + path + "'"};
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return Status{StatusCode::device_lost, "no machine answers at '" + path + "': " + std::strerror(errno)};
  }
  return adopt(socket.release());
}

Result<std::unique_ptr<Client>> Client::adopt(int socket) {
  std::unique_ptr<Client> client(new Client(socket, -1));
  if (Status status = client->hello(); !status) return status;
  return client;
}

Client::~Client() {
  if (shared_ != nullptr) ::munmap(shared_, shared_bytes_);
  if (doorbell_ >= 0) ::close(doorbell_);
  if (socket_ >= 0) ::close(socket_);
}

void Client::abandon() {
  if (socket_ >= 0) ::close(socket_);
  if (doorbell_ >= 0) ::close(doorbell_);
  socket_ = doorbell_ = -1;
}

void Client::lose() {
  lost_.store(true);
  if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

bool Client::lost() const { return lost_.load() || (shared_ != nullptr && shared_->lost.load() != 0); }

template <class Reply, class Request>
Result<Reply> Client::call(Operation operation, const Request& request, int send_fd, std::span<int> received) {
  const std::scoped_lock lock(mutex_);
  if (lost()) return gone();
  const RequestHeader header{kMagic, static_cast<std::uint16_t>(operation), kVersion, ++sequence_, 0};
  const std::span<const int> descriptors(&send_fd, send_fd >= 0 ? 1 : 0);
  Status sent = send_packet(socket_, pack(header, request), descriptors);
  if (!sent) {
    lose();
    return sent;
  }
  auto packet = receive_packet(socket_);
  const auto reply = packet ? unpack_header<ReplyHeader>(packet->bytes) : std::nullopt;
  if (!reply || reply->sequence != sequence_ || reply->operation != header.operation) {
    lose();
    return packet ? Status{StatusCode::device_lost, "the machine answers nonsense"} : packet.status();
  }
  if (reply->status != 0) {
    const auto* text = reinterpret_cast<const char*>(packet->bytes.data() + sizeof *reply);
    return Status{code_of(reply->status), std::string(text, packet->bytes.size() - sizeof *reply)};
  }
  Reply body;
  if (!unpack_body(packet->bytes, *reply, body) || packet->descriptors.size() != received.size()) {
    lose();
    return Status{StatusCode::device_lost, "the machine answers nonsense"};
  }
  for (std::size_t i = 0; i < received.size(); ++i) received[i] = packet->descriptors[i].release();
  return body;
}

Status Client::hello() {
  HelloRequest request{};
  request.version = kVersion;
  request.process = static_cast<std::uint32_t>(::getpid());
  std::strncpy(request.name, ::program_invocation_short_name, sizeof request.name - 1);
  int received[2] = {-1, -1};
  auto reply = call<HelloReply>(Operation::hello, request, -1, received);
  if (!reply) return reply.status();
  Descriptor shared(received[0]);
  doorbell_ = received[1];
  if (reply->version != kVersion || reply->shared_bytes < sizeof(SharedPage) || reply->devices == 0) {
    return {StatusCode::not_supported, "the machine speaks another version of the protocol"};
  }
  void* page = ::mmap(nullptr, reply->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared.get(), 0);
  if (page == MAP_FAILED) return {StatusCode::out_of_memory, "the shared page cannot be mapped"};
  shared_ = static_cast<SharedPage*>(page);
  shared_bytes_ = reply->shared_bytes;
  auto info = call<DeviceInfo>(Operation::device_info, Nothing{});
  if (!info) return info.status();
  device_ = info->discovery;
  device_.name[sizeof device_.name - 1] = 0;
  return {};
}

Status Client::ping() { return call<Nothing>(Operation::ping, Nothing{}).status(); }
Result<MemoryInfo> Client::memory_info() { return call<MemoryInfo>(Operation::memory_info, Nothing{}); }
Result<Telemetry> Client::telemetry() { return call<Telemetry>(Operation::telemetry, Nothing{}); }

Result<std::uint32_t> Client::create_context(std::uint64_t va_base, std::uint64_t va_bytes) {
  auto reply = call<ContextReply>(Operation::context_create, ContextRequest{va_base, va_bytes});
  if (!reply) return reply.status();
  if (reply->context >= kMaxContexts) return Status{StatusCode::device_lost, "the machine answers nonsense"};
  return reply->context;
}
Status Client::destroy_context(std::uint32_t context) {
  return call<Nothing>(Operation::context_destroy, ContextReply{context}).status();
}
Status Client::reset_context(std::uint32_t context) {
  return call<Nothing>(Operation::context_reset, ContextReply{context}).status();
}
Result<FaultReply> Client::context_fault(std::uint32_t context) {
  return call<FaultReply>(Operation::context_fault, ContextReply{context});
}

Result<std::uint64_t> Client::alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t access) {
  auto reply = call<Address>(Operation::memory_alloc, AllocRequest{context, access, bytes});
  if (!reply) return reply.status();
  return reply->va;
}
Status Client::free(std::uint32_t context, std::uint64_t va) {
  return call<Nothing>(Operation::memory_free, MemoryRequest{context, 0, va, 0}).status();
}
Status Client::protect(std::uint32_t context, std::uint64_t va, std::uint64_t bytes, std::uint32_t access) {
  return call<Nothing>(Operation::memory_protect, MemoryRequest{context, access, va, bytes}).status();
}

Result<PinnedMemory> Client::pin(std::size_t bytes, void* at) {
  bytes = (bytes + kPage - 1) & ~(kPage - 1);
  if (bytes == 0) return Status{StatusCode::invalid_value, "no bytes to pin"};
  auto file = shared_memory("castor pinned memory", bytes);
  if (!file) return file.status();
  const int flags = MAP_SHARED | (at != nullptr ? MAP_FIXED : 0);
  void* data = ::mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file->get(), 0);
  if (data == MAP_FAILED) return Status{StatusCode::out_of_memory, "shared memory cannot be mapped"};
  auto reply = call<PinReply>(Operation::pin, PinRequest{bytes}, file->get());
  if (!reply) {
    if (at == nullptr) ::munmap(data, bytes);
    return reply.status();
  }
  return PinnedMemory{static_cast<std::byte*>(data), bytes, reply->pin};
}

Status Client::unpin(const PinnedMemory& memory) {
  Status status = call<Nothing>(Operation::unpin, PinReply{memory.pin}).status();
  ::munmap(memory.data, memory.bytes);
  return status;
}

Status Client::map_host(std::uint32_t context, const PinnedMemory& memory, std::uint32_t access) {
  const MapHostRequest request{context, access, memory.pin, memory.va(), memory.bytes};
  return call<Nothing>(Operation::map_host, request).status();
}

Result<std::uint32_t> Client::create_queue(std::uint32_t context, std::uint64_t ring, std::uint32_t entries,
                                           std::uint64_t page) {
  auto reply = call<QueueReply>(Operation::queue_create, QueueRequest{context, entries, ring, page});
  if (!reply) return reply.status();
  if (reply->queue >= kMaxQueues) return Status{StatusCode::device_lost, "the machine answers nonsense"};
  return reply->queue;
}
Status Client::destroy_queue(std::uint32_t context, std::uint32_t queue) {
  return call<Nothing>(Operation::queue_destroy, QueueReply{context, queue}).status();
}

void Client::ring(std::uint32_t queue) {
  shared_->doorbells[queue / 64].fetch_or(std::uint64_t{1} << queue % 64);
  if (shared_->rung.exchange(1) != 0) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(doorbell_, &one, sizeof one);
}

bool Client::peer_gone() {
  pollfd poll{socket_, POLLRDHUP, 0};
  if (::poll(&poll, 1, 0) > 0 && (poll.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0) lose();
  return lost();
}

Status Client::wait(const std::function<bool()>& done, const std::function<void()>& before_sleep) {
  for (int i = 0; i < kSpins; ++i) {
    if (done()) return {};
    pause();
  }
  if (before_sleep) before_sleep();
  for (;;) {
    const std::uint32_t seen = shared_->wake.load();
    shared_->sleepers.fetch_add(1);
    const bool now = done();
    if (!now && !lost()) futex_wait(shared_->wake, seen, kSleep);
    shared_->sleepers.fetch_sub(1);
    if (now) return {};
    if (peer_gone()) return done() ? Status{} : gone();
  }
}

bool Client::faulted(std::uint32_t context) const {
  return context < kMaxContexts && shared_->faulted[context].load() != 0;
}

}  // namespace castor::hal
