// Server: serves one Device to many clients. One thread a connection; what a client had is freed when its connection ends.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/hal/device.h"

namespace castor::hal {

class Session;

class Server {
 public:
  explicit Server(Device& device);
  /// Ends all connections and threads.
  ~Server();

  /// Listens at `path` (a new socket file; a stale one of a dead machine is replaced).
  Status listen(const std::string& path);
  /// Serves the peer of an open SOCK_SEQPACKET socket; takes the descriptor.
  Status adopt(int socket);
  /// Ends all connections and threads; idempotent. The Device must still answer or give device_lost.
  void stop();

  /// From port->notify: wakes the client whose context it is. Any thread, no waiting.
  void notice(Notice notice, std::uint32_t context);

  /// Connections that are open now.
  int connections() const;
  /// Blocks until a connection has been made and the last one has ended, or until stop().
  void wait_until_unused();

 private:
  void accept_loop();
  void reap();

  Device& device_;
  int listener_ = -1;
  int stop_event_ = -1;
  std::string path_;
  std::thread acceptor_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::unique_ptr<Session>> sessions_;
  bool ever_used_ = false;
  bool stopping_ = false;
};

}  // namespace castor::hal
