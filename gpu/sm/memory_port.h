// MemoryPort: what an SM asks of the GPU's MMU. One object stands for one context's address space.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/core/fault.h"
#include "platform/core/guest.h"

namespace castor::sm {

/// A page of guest memory as host memory, or why it cannot be reached. Permissions are the page's, not only those asked for.
struct Translation {
  std::byte* host = nullptr;     // host address of the page's first byte
  VirtAddr page{};               // its first guest address
  std::uint64_t page_bytes = 0;  // power of two, at least 4096
  bool read = false, write = false, execute = false, atomic = false;
  FaultCause fault = FaultCause::none;  // illegal_address or permission: then nothing above counts
};

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  /// Walks the page tables for a global address (bit 47 clear). Called by any SM's thread, several at once. The answer is
  /// kept by the SM until Sm::invalidate_translations of this context; the host memory stays valid until that is done.
  virtual Translation translate(VirtAddr address, Access access) = 0;
};

}  // namespace castor::sm
