// BusMaster: how a block's SystemC processes reach device memory and the host's bus.
#pragma once

#include <span>
#include <string>

#include "gpu/model/copy_engine.h"
#include "gpu/model/mmu.h"
#include "platform/sim/systemc.h"

namespace castor::gpu {

class BusMaster {
 public:
  /// `name` appears in traces.
  BusMaster(std::string name, const Mmu* mmu);

  tlm_utils::simple_initiator_socket<BusMaster> to_host, to_memory;

  // From an SC_THREAD. `ahead` grows by the time it takes. False: nothing answers there.
  bool read(const Place& place, std::span<std::byte> data, sc_core::sc_time& ahead);
  bool write(const Place& place, std::span<const std::byte> data, sc_core::sc_time& ahead);

  /// The same through the page tables of a context, any length.
  Fault read(std::uint16_t pasid, VirtAddr address, std::span<std::byte> data, sc_core::sc_time& ahead);
  Fault write(std::uint16_t pasid, VirtAddr address, std::span<const std::byte> data, sc_core::sc_time& ahead);

 private:
  bool transport(bool write, const Place& place, std::byte* data, std::size_t bytes, sc_core::sc_time& ahead);
  Fault access(Access access, std::uint16_t pasid, VirtAddr address, std::byte* data, std::size_t bytes,
               sc_core::sc_time& ahead);

  std::string name_;
  const Mmu* mmu_;
};

}  // namespace castor::gpu
