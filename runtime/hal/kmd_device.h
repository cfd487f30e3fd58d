// KmdDevice: the HAL's Device over the kernel-mode driver that runs on one thread of the machine (a SystemC thread). The board
// gives an Executor that runs work on that thread and a HostMemory that puts clients' memory on the host's bus.
#pragma once

#include <map>
#include <optional>

#include "runtime/hal/device.h"
#include "runtime/kmd/kmd.h"

namespace castor::hal {

/// Runs work on the thread that owns the kernel-mode driver.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs it there and waits; false if the machine has stopped (the work has then not run and never will).
  virtual bool run(const std::function<void()>& work) = 0;
  /// Queues it, in order; no wait. Dropped if the machine has stopped.
  virtual void post(std::function<void()> work) = 0;
};

/// Called on the driver's thread. The handle of add is what port->pin_page gets.
class HostMemory {
 public:
  virtual ~HostMemory() = default;
  virtual Result<std::uint64_t> add(std::span<std::byte> memory) = 0;
  virtual void remove(std::uint64_t pin) = 0;
};

class KmdDevice final : public Device {
 public:
  /// `kmd` is open, and stays so while the executor runs work.
  KmdDevice(Executor& executor, HostMemory& memory, castor_kmd* kmd);

  castor_discovery_header discovery() override;
  Status ping() override;
  Result<MemoryInfo> memory_info() override;
  Result<Telemetry> telemetry() override;
  Result<std::uint32_t> create_context(std::uint64_t va_base, std::uint64_t va_bytes) override;
  Status destroy_context(std::uint32_t context) override;
  Status reset_context(std::uint32_t context) override;
  Result<FaultReply> context_fault(std::uint32_t context) override;
  Result<std::uint64_t> alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t access) override;
  Status free(std::uint32_t context, std::uint64_t va) override;
  Status protect(std::uint32_t context, std::uint64_t va, std::uint64_t bytes, std::uint32_t access) override;
  Result<std::uint64_t> pin(std::span<std::byte> memory) override;
  Status unpin(std::uint64_t pin) override;
  Status map_host(std::uint32_t context, std::uint64_t pin, std::uint64_t va, std::uint64_t bytes,
                  std::uint32_t access) override;
  Result<std::uint32_t> create_queue(std::uint32_t context, std::uint64_t ring, std::uint32_t entries,
                                     std::uint64_t page) override;
  Status destroy_queue(std::uint32_t context, std::uint32_t queue) override;
  void doorbell(std::uint32_t context, std::uint32_t queue) override;

 private:
  template <class Work>
  Status on_driver(const char* what, Work work);
  template <class Work>
  Status on_context(const char* what, std::uint32_t context, Work work);
  castor_kmd_context* find(std::uint32_t context);

  Executor& executor_;
  HostMemory& memory_;
  castor_kmd* kmd_;  // touched on the driver's thread only, and not after the executor has stopped
  const castor_discovery_header discovery_;
  std::map<std::uint32_t, castor_kmd_context*> contexts_;  // touched on the driver's thread only
};

}  // namespace castor::hal
