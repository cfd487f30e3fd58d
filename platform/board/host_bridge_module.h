// HostBridgeModule: between the host's processor, its memory and the root complex. Decodes the bus; receives interrupts.
#pragma once

#include <cstdint>

#include "platform/board/host_memory.h"
#include "platform/sim/systemc.h"

namespace castor::board {

class HostBridgeModule : public sc_core::sc_module {
 public:
  /// `memory` outlives the bridge.
  HostBridgeModule(sc_core::sc_module_name name, HostMemory& memory);

  /// The processor's accesses at bus addresses: configuration space (1, 2 or 4 bytes), BARs, RAM. Reads of what nobody claims
  /// answer all ones and writes are dropped, as a processor sees it.
  tlm_utils::simple_target_socket<HostBridgeModule> processor;
  tlm_utils::simple_initiator_socket<HostBridgeModule> root_complex;
  /// Requests of devices.
  tlm_utils::simple_target_socket<HostBridgeModule> devices;

  /// Pending interrupts of `mask`; they are no longer pending. On the kernel's thread.
  std::uint64_t take_interrupts(std::uint64_t mask);
  std::uint64_t pending_interrupts() const { return pending_; }
  const sc_core::sc_event& interrupt_event() const { return interrupt_; }

 private:
  void from_processor(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void to_root_complex(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void from_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool raise(const tlm::tlm_generic_payload& payload);

  HostMemory& memory_;
  std::uint64_t pending_ = 0;
  sc_core::sc_event interrupt_{"interrupt"};
};

}  // namespace castor::board
