// Mmu: address spaces by PASID. Walks the driver's page tables for every engine; safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/model/device_memory.h"
#include "gpu/model/host_port.h"
#include "gpu/model/page_walker.h"
#include "gpu/sm/memory_port.h"

namespace castor::gpu {

class Mmu {
 public:
  Mmu(DeviceMemory& memory, HostPort& host, unsigned contexts);
  ~Mmu();

  unsigned contexts() const { return static_cast<unsigned>(ports_.size()); }
  void set_context_table(DevAddr table) { table_.store(table.value, std::memory_order_release); }

  /// What `address` of the context means to an engine that moves data by transactions.
  Mapping map(std::uint16_t pasid, VirtAddr address, Access access) const;
  /// The same for an engine that reaches memory directly (sm::MemoryPort).
  sm::Translation translate(std::uint16_t pasid, VirtAddr address, Access access) const;
  sm::MemoryPort& port(std::uint16_t pasid);

  std::uint32_t walks() const { return walks_.load(std::memory_order_relaxed); }

 private:
  class Port;

  DeviceMemory& memory_;
  HostPort& host_;
  std::atomic<std::uint64_t> table_{0};
  mutable std::atomic<std::uint32_t> walks_{0};
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace castor::gpu
