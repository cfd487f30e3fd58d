// Session: one client's connection in the server. Its thread answers requests and forwards doorbells; what the client had is
// freed at the end.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "runtime/hal/channel.h"
#include "runtime/hal/device.h"

namespace castor::hal {

class Session {
 public:
  /// `stop_event` is readable when the server stops.
  Session(Device& device, Descriptor socket, int stop_event);
  /// Waits for the thread.
  ~Session();

  Status start(std::function<void()> on_end);
  bool ended() const { return ended_.load(); }
  /// Wakes the client if the context is its own (or, for `lost`, in any case). Any thread.
  void notice(Notice notice, std::uint32_t context);

 private:
  struct Pin {
    std::byte* data;
    std::size_t bytes;
    unsigned mappings = 0;
  };

  void run();
  bool serve_one();
  void ring();
  void release_all();
  void reply(const RequestHeader& header, const Status& status);
  template <class Body>
  void reply(const RequestHeader& header, const Body& body, std::span<const int> descriptors = {});

  /// Calls the handler of the operation, `Status`es of which become error replies.
  Status dispatch(const RequestHeader& header, Packet& packet);
  template <class Request>
  Status handle(const RequestHeader& header, Packet& packet);

  Result<HelloReply> hello(const HelloRequest& request, Packet&);
  Result<Nothing> ping(const Nothing&, Packet&);
  Result<DeviceInfo> device_info(const Nothing&, Packet&);
  Result<MemoryInfo> memory_info(const Nothing&, Packet&);
  Result<Telemetry> telemetry(const Nothing&, Packet&);
  Result<ContextReply> context_create(const ContextRequest& request, Packet&);
  Result<Nothing> context_destroy(const ContextReply& request, Packet&);
  Result<Nothing> context_reset(const ContextReply& request, Packet&);
  Result<FaultReply> context_fault(const ContextReply& request, Packet&);
  Result<Address> memory_alloc(const AllocRequest& request, Packet&);
  Result<Nothing> memory_free(const MemoryRequest& request, Packet&);
  Result<Nothing> memory_protect(const MemoryRequest& request, Packet&);
  Result<PinReply> pin(const PinRequest& request, Packet& packet);
  Result<Nothing> unpin(const PinReply& request, Packet&);
  Result<Nothing> map_host(const MapHostRequest& request, Packet&);
  Result<QueueReply> queue_create(const QueueRequest& request, Packet&);
  Result<Nothing> queue_destroy(const QueueReply& request, Packet&);

  Status own(std::uint32_t context) const;
  void forget_context(std::uint32_t context);
  void set_owned(std::uint32_t context, bool owned);

  Device& device_;
  Descriptor socket_, doorbell_, shared_file_;
  int stop_event_;
  SharedPage* shared_ = nullptr;
  std::thread thread_;
  std::function<void()> on_end_;
  std::atomic<bool> ended_{false};
  bool greeted_ = false;

  // The session's thread alone.
  std::set<std::uint32_t> contexts_;
  std::map<std::uint64_t, Pin> pins_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> mappings_;  // context, address → pin
  std::map<std::uint32_t, std::uint32_t> queues_;                              // queue → context
  std::array<std::atomic<bool>, kMaxContexts> owned_{};                        // for notice()
};

}  // namespace castor::hal
