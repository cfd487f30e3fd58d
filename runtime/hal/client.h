// Client: libcuda's way to a machine. Control calls go over the socket one at a time; doorbells and waits through shared memory.
// Any number of threads. Every call ends: a machine that dies, or answers nonsense, gives device_lost from then on.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "platform/core/result.h"
#include "runtime/hal/protocol.h"

namespace castor::hal {

/// Memory that client and device share: a memfd mapped here and pinned in the machine. Map it in a context with map_host.
struct PinnedMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  // whole pages
  std::uint64_t pin = 0;

  std::uint64_t va() const { return reinterpret_cast<std::uint64_t>(data); }
};

class Client {
 public:
  /// A machine that listens at `path`.
  static Result<std::unique_ptr<Client>> connect(const std::string& path);
  /// A machine at the other end of an open socket; takes the descriptor.
  static Result<std::unique_ptr<Client>> adopt(int socket);
  /// Starts `executable serve --fd N` and talks to it; the machine ends when the client does.
  static Result<std::unique_ptr<Client>> spawn(const std::string& executable);
  ~Client();

  const castor_discovery_header& device() const { return device_; }
  Status ping();
  Result<MemoryInfo> memory_info();
  Result<Telemetry> telemetry();

  Result<std::uint32_t> create_context(std::uint64_t va_base, std::uint64_t va_bytes);
  Status destroy_context(std::uint32_t context);
  Status reset_context(std::uint32_t context);
  Result<FaultReply> context_fault(std::uint32_t context);

  Result<std::uint64_t> alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t access);
  Status free(std::uint32_t context, std::uint64_t va);
  Status protect(std::uint32_t context, std::uint64_t va, std::uint64_t bytes, std::uint32_t access);

  /// New shared memory; with `at`, in place of what was mapped there (MAP_FIXED).
  Result<PinnedMemory> pin(std::size_t bytes, void* at = nullptr);
  Status unpin(const PinnedMemory& memory);
  /// Maps the memory in the context at its address in this process.
  Status map_host(std::uint32_t context, const PinnedMemory& memory, std::uint32_t access);

  Result<std::uint32_t> create_queue(std::uint32_t context, std::uint64_t ring, std::uint32_t entries,
                                     std::uint64_t page);
  Status destroy_queue(std::uint32_t context, std::uint32_t queue);

  void ring(std::uint32_t queue);
  /// Waits until done() says so (checked after every interrupt of this client): spins a little, then sleeps. `before_sleep`, if given,
  /// runs once before the first sleep: the place to ask the device for an interrupt. device_lost if the machine went away meanwhile.
  Status wait(const std::function<bool()>& done, const std::function<void()>& before_sleep = {});
  /// Has a fault stopped the context?
  bool faulted(std::uint32_t context) const;
  /// In a fork's child: lets go of the connection, which is the parent's. Nothing else may be called afterwards.
  void abandon();
  /// The machine is gone or unusable.
  bool lost() const;

 private:
  Client(int socket, int machine_process) : socket_(socket), machine_process_(machine_process) {}
  Status hello();
  bool peer_gone();
  void lose();
  template <class Reply, class Request>
  Result<Reply> call(Operation operation, const Request& request, int send_fd = -1, std::span<int> received = {});

  int socket_ = -1;
  int machine_process_ = -1;
  int doorbell_ = -1;
  std::mutex mutex_;
  std::uint32_t sequence_ = 0;
  SharedPage* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::atomic<bool> lost_{false};
  castor_discovery_header device_{};
};

}  // namespace castor::hal
