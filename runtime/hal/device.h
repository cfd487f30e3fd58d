// Device: what the HAL server needs of the machine. Called from the server's threads; each call returns when the machine has
// answered, and gives device_lost once the machine has stopped. The board gets its implementation from kmd_device.h.
#pragma once

#include <functional>
#include <span>

#include "platform/core/result.h"
#include "runtime/hal/protocol.h"

namespace castor::hal {

enum class Notice { queue, fault, lost };

class Device {
 public:
  virtual ~Device() = default;
  virtual castor_discovery_header discovery() = 0;
  virtual Status ping() = 0;
  virtual Result<MemoryInfo> memory_info() = 0;
  virtual Result<Telemetry> telemetry() = 0;

  virtual Result<std::uint32_t> create_context(std::uint64_t va_base, std::uint64_t va_bytes) = 0;
  virtual Status destroy_context(std::uint32_t context) = 0;
  virtual Status reset_context(std::uint32_t context) = 0;
  virtual Result<FaultReply> context_fault(std::uint32_t context) = 0;

  virtual Result<std::uint64_t> alloc(std::uint32_t context, std::uint64_t bytes, std::uint32_t access) = 0;
  virtual Status free(std::uint32_t context, std::uint64_t va) = 0;
  virtual Status protect(std::uint32_t context, std::uint64_t va, std::uint64_t bytes, std::uint32_t access) = 0;

  /// The memory stays mapped in this process until unpin.
  virtual Result<std::uint64_t> pin(std::span<std::byte> memory) = 0;
  virtual Status unpin(std::uint64_t pin) = 0;
  virtual Status map_host(std::uint32_t context, std::uint64_t pin, std::uint64_t va, std::uint64_t bytes,
                          std::uint32_t access) = 0;

  virtual Result<std::uint32_t> create_queue(std::uint32_t context, std::uint64_t ring, std::uint32_t entries,
                                             std::uint64_t page) = 0;
  virtual Status destroy_queue(std::uint32_t context, std::uint32_t queue) = 0;
  /// Does not wait.
  virtual void doorbell(std::uint32_t context, std::uint32_t queue) = 0;
};

}  // namespace castor::hal
