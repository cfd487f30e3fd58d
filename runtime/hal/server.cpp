#include "runtime/hal/server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/hal/session.h"

namespace castor::hal {
namespace {

Result<Descriptor> connected(const sockaddr_un& address) {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return Status{StatusCode::not_found, std::strerror(errno)};
  }
  return socket;
}

}  // namespace

Server::Server(Device& device) : device_(device), stop_event_(::eventfd(0, EFD_CLOEXEC)) {}

Server::~Server() {
  stop();
  if (stop_event_ >= 0) ::close(stop_event_);
}

Status Server::listen(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return {StatusCode::invalid_value, "not a usable socket path: '" + path + "'"};
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  struct stat info{};
  if (::lstat(path.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode)) return {StatusCode::io_error, "'" + path + "' exists and is no socket"};
    if (connected(address)) return {StatusCode::busy, "another machine listens at '" + path + "'"};
    ::unlink(path.c_str());
  }
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 64) != 0) {
    return {StatusCode::io_error, "cannot listen at '" + path + "': " + std::strerror(errno)};
  }
  listener_ = socket.release();
  path_ = path;
  acceptor_ = std::thread([this] { accept_loop(); });
  return {};
}

void Server::accept_loop() {
  for (;;) {
    pollfd polls[2] = {{listener_, POLLIN, 0}, {stop_event_, POLLIN, 0}};
    if (::poll(polls, 2, -1) < 0 && errno != EINTR) return;
    if (polls[1].revents != 0) return;
    if (polls[0].revents == 0) continue;
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) (void)adopt(socket);  // a client that cannot be served sees its socket close
  }
}

Status Server::adopt(int socket) {
  Descriptor owned(socket);
  reap();
  const std::scoped_lock lock(mutex_);
  if (stopping_) return {StatusCode::device_lost, "the machine is stopping"};
  auto session = std::make_unique<Session>(device_, std::move(owned), stop_event_);
  ever_used_ = true;
  Status status = session->start([this] {
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
  });
  if (status) sessions_.push_back(std::move(session));
  return status;
}

/// Frees sessions that have ended; never called from a session's own thread.
void Server::reap() {
  std::list<std::unique_ptr<Session>> ended;
  const std::scoped_lock lock(mutex_);
  for (auto it = sessions_.begin(); it != sessions_.end();) {
    const auto next = std::next(it);
    if ((*it)->ended()) ended.splice(ended.end(), sessions_, it);
    it = next;
  }
}

void Server::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_event_, &one, sizeof one);
  if (acceptor_.joinable()) acceptor_.join();
  {
    // Sessions end by themselves now; they may still need notices, so they stay on the list until they have.
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return std::ranges::all_of(sessions_, [](const auto& session) { return session->ended(); }); });
  }
  reap();
  if (listener_ >= 0) {
    ::close(listener_);
    ::unlink(path_.c_str());
    listener_ = -1;
  }
}

void Server::notice(Notice notice, std::uint32_t context) {
  const std::scoped_lock lock(mutex_);
  for (const auto& session : sessions_) session->notice(notice, context);
}

int Server::connections() const {
  const std::scoped_lock lock(mutex_);
  int count = 0;
  for (const auto& session : sessions_) count += session->ended() ? 0 : 1;
  return count;
}

void Server::wait_until_unused() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    if (stopping_) return true;
    for (const auto& session : sessions_) {
      if (!session->ended()) return false;
    }
    return ever_used_;
  });
}

}  // namespace castor::hal
