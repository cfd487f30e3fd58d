#include "runtime/hal/session.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>
#include <linux/futex.h>

#include <bit>
#include <climits>
#include <new>

#include "runtime/hal/wire.h"

namespace castor::hal {
namespace {

constexpr std::size_t kSharedBytes = (sizeof(SharedPage) + 4095) & ~std::size_t{4095};

Status lies(std::string_view what) { return {StatusCode::invalid_value, std::string(what)}; }

}  // namespace

Session::Session(Device& device, Descriptor socket, int stop_event)
    : device_(device), socket_(std::move(socket)), stop_event_(stop_event) {}

Session::~Session() {
  if (thread_.joinable()) thread_.join();
  if (shared_ != nullptr) ::munmap(shared_, kSharedBytes);
}

Status Session::start(std::function<void()> on_end) {
  auto file = shared_memory("castor shared page", kSharedBytes);
  if (!file) return file.status();
  shared_file_ = std::move(*file);
  doorbell_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  void* page = ::mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared_file_.get(), 0);
  if (!doorbell_ || page == MAP_FAILED) return {StatusCode::out_of_memory, "no shared page for a client"};
  shared_ = new (page) SharedPage{};
  shared_->magic = kMagic;
  shared_->version = kVersion;
  on_end_ = std::move(on_end);
  thread_ = std::thread([this] { run(); });
  return {};
}

void Session::run() {
  for (;;) {
    pollfd polls[3] = {{socket_.get(), POLLIN, 0}, {doorbell_.get(), POLLIN, 0}, {stop_event_, POLLIN, 0}};
    if (::poll(polls, 3, -1) < 0 && errno != EINTR) break;
    if (polls[2].revents != 0) break;
    if (polls[1].revents != 0) ring();
    if (polls[0].revents != 0 && !serve_one()) break;
  }
  notice(Notice::lost, 0);
  release_all();
  ::shutdown(socket_.get(), SHUT_RDWR);
  ended_.store(true);
  on_end_();
}

void Session::ring() {
  std::uint64_t count;
  [[maybe_unused]] const auto got = ::read(doorbell_.get(), &count, sizeof count);
  shared_->rung.store(0);
  for (std::uint32_t word = 0; word < kMaxQueues / 64; ++word) {
    std::uint64_t bits = shared_->doorbells[word].load() == 0 ? 0 : shared_->doorbells[word].exchange(0);
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t queue = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      const auto found = queues_.find(queue);
      if (found != queues_.end()) device_.doorbell(found->second, queue);
    }
  }
}

void Session::notice(Notice notice, std::uint32_t context) {
  if (shared_ == nullptr) return;
  if (notice == Notice::lost) {
    shared_->lost.store(1);
  } else {
    if (context >= kMaxContexts || !owned_[context].load()) return;
    if (notice == Notice::fault) shared_->faulted[context].store(1);
  }
  shared_->wake.fetch_add(1);
  if (shared_->sleepers.load() != 0) ::syscall(SYS_futex, &shared_->wake, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Session::serve_one() {
  auto packet = receive_packet(socket_.get());
  if (!packet) return packet.status().code() == StatusCode::invalid_value;  // too long: this one is dropped
  const auto header = unpack_header<RequestHeader>(packet->bytes);
  if (!header) return false;  // not our protocol at all
  if (const Status status = dispatch(*header, *packet); !status) reply(*header, status);
  return true;
}

void Session::reply(const RequestHeader& header, const Status& status) {
  const ReplyHeader answer{kMagic, header.operation, 0, header.sequence, 0};
  (void)send_packet(socket_.get(), pack_error(answer, status));
}

template <class Body>
void Session::reply(const RequestHeader& header, const Body& body, std::span<const int> descriptors) {
  const ReplyHeader answer{kMagic, header.operation, 0, header.sequence, 0};
  (void)send_packet(socket_.get(), pack(answer, body), descriptors);  // a peer that is gone is seen by the next poll
}

Status Session::dispatch(const RequestHeader& header, Packet& packet) {
  if (header.version != kVersion) return {StatusCode::not_supported, "another version of the protocol"};
  if (!greeted_ && header.operation != static_cast<std::uint16_t>(Operation::hello)) return lies("no hello yet");
  switch (static_cast<Operation>(header.operation)) {
#define OP(name, number, request_type, reply_type, request_fds, reply_fds, doc)                              \
  case Operation::name: {                                                                                    \
    request_type request;                                                                                    \
    if (!unpack_body(packet.bytes, header, request)) return lies(#name ": a request of the wrong size");     \
    if (packet.descriptors.size() != (request_fds)) return lies(#name ": wrong number of file descriptors"); \
    auto result = this->name(request, packet);                                                               \
    if (!result) return result.status();                                                                     \
    const int descriptors[] = {shared_file_.get(), doorbell_.get()};                                         \
    static_assert((reply_fds) <= 2);                                                                         \
    reply(header, *result, std::span<const int>(descriptors).first(reply_fds));                              \
    return {};                                                                                               \
  }
#include "runtime/hal/operations.inc"
#undef OP
  }
  return lies(fmt::format("operation {} does not exist", header.operation));
}

Status Session::own(std::uint32_t context) const {
  if (contexts_.contains(context)) return {};
  return {StatusCode::not_found, fmt::format("context {} is not this client's", context)};
}

void Session::set_owned(std::uint32_t context, bool owned) {
  if (context < kMaxContexts) owned_[context].store(owned);
}

void Session::forget_context(std::uint32_t context) {
  set_owned(context, false);
  contexts_.erase(context);
  std::erase_if(queues_, [&](const auto& entry) { return entry.second == context; });
  for (auto it = mappings_.begin(); it != mappings_.end();) {
    if (it->first.first != context) {
      ++it;
      continue;
    }
    --pins_.at(it->second).mappings;
    it = mappings_.erase(it);
  }
}

void Session::release_all() {
  for (const std::uint32_t context : std::set<std::uint32_t>(contexts_)) {
    (void)device_.destroy_context(context);  // a lost device holds nothing any more
    forget_context(context);
  }
  for (const auto& [pin, memory] : pins_) {
    (void)device_.unpin(pin);
    ::munmap(memory.data, memory.bytes);
  }
  pins_.clear();
}

}  // namespace castor::hal
