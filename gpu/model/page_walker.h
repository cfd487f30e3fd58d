// The page-table walk (gpu/abi/page_table.h), as a function of the tables alone.
#pragma once

#include <cstdint>

#include "gpu/model/device_memory.h"
#include "platform/core/fault.h"
#include "platform/core/guest.h"

namespace castor::gpu {

/// What one leaf entry maps.
struct Mapping {
  FaultCause fault = FaultCause::none;  // illegal_address: nothing is mapped; then nothing below counts
  bool host = false;                    // `target` is a bus address, else a device address
  std::uint64_t target = 0;             // of the page's first byte
  VirtAddr page{};                      // virtual address of the page's first byte
  std::uint64_t page_bytes = 0;
  bool read = false, write = false, execute = false, atomic = false;

  bool allows(Access access) const;
};

/// Tables that point out of memory or have reserved bits set map nothing.
Mapping walk(const DeviceMemory& memory, DevAddr root, VirtAddr address);

}  // namespace castor::gpu
