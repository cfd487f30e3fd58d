// EndpointModule: the endpoint between the link and the device behind it.
#pragma once

#include <atomic>
#include <functional>

#include "cxl/model/endpoint.h"
#include "platform/sim/systemc.h"

namespace castor::cxl {

class EndpointModule : public sc_core::sc_module {
 public:
  EndpointModule(sc_core::sc_module_name name, const EndpointSpec& spec);

  // Towards the root complex.
  tlm_utils::simple_target_socket<EndpointModule> link_in;
  tlm_utils::simple_initiator_socket<EndpointModule> link_out;
  // Towards the device: BAR accesses at offsets in the BAR; its requests come back at bus addresses.
  tlm_utils::simple_initiator_socket<EndpointModule> bar0;
  tlm_utils::simple_initiator_socket<EndpointModule> bar2;
  tlm_utils::simple_initiator_socket<EndpointModule> bar4;
  tlm_utils::simple_target_socket<EndpointModule> device;

  /// Sends MSI-X message `vector`, or keeps it pending as the tables say. From a SystemC process.
  void raise(unsigned vector);
  /// Called on a function-level reset and when the bus above is reset.
  void on_reset(std::function<void()> handler) { reset_handler_ = std::move(handler); }
  void reset();

  /// Whether the device may reach the bus now. From any thread, for its direct accesses to host memory.
  bool may_master() const { return may_master_.load(std::memory_order_acquire); }

  const Endpoint& function() const { return function_; }

 private:
  void from_link(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void config(tlm::tlm_generic_payload& payload);
  void memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void msix(tlm::tlm_generic_payload& payload, std::uint64_t offset);
  void from_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void send_messages();

  Endpoint function_;
  std::atomic<bool> may_master_ = false;
  std::function<void()> reset_handler_;
};

}  // namespace castor::cxl
