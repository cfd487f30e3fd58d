// HostPort: what the device needs of the fabric above it besides its sockets. The board implements it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/core/guest.h"

namespace castor::gpu {

class HostPort {
 public:
  virtual ~HostPort() = default;

  /// Direct memory interface: where `bytes` bytes of host memory at this bus address lie in our own process, or null if
  /// no memory is there (or not all of it contiguous, or the IOMMU refuses). Called from any thread. The answer is kept
  /// until the driver has invalidated the translations that used it.
  virtual std::byte* direct(BusAddr address, std::uint64_t bytes) = 0;

  /// Sends MSI-X message `vector`. Called from a SystemC thread process, after the DMA writes that it announces.
  virtual void interrupt(unsigned vector) = 0;
};

}  // namespace castor::gpu
