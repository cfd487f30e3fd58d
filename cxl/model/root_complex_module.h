// RootComplexModule: bus 0 with one root port (00:01.0). Routes host accesses down and the device's requests up.
#pragma once

#include <functional>

#include "cxl/model/root_port.h"
#include "platform/sim/systemc.h"
#include "platform/sim/transaction_trace.h"

namespace castor::cxl {

class RootComplexModule : public sc_core::sc_module {
 public:
  RootComplexModule(sc_core::sc_module_name name, const LinkSpec& link, sim::TransactionTrace& trace);

  /// Host accesses, each with a Tlp extension; what nobody claims answers TLM_ADDRESS_ERROR_RESPONSE.
  tlm_utils::simple_target_socket<RootComplexModule> host;
  /// Requests of devices, at bus addresses.
  tlm_utils::simple_initiator_socket<RootComplexModule> memory;
  // The root port's link.
  tlm_utils::simple_initiator_socket<RootComplexModule> port_down;
  tlm_utils::simple_target_socket<RootComplexModule> port_up;

  const RootPort& port() const { return port_; }
  /// Called when software resets the bus below the port.
  void on_bus_reset(std::function<void()> handler) { bus_reset_ = std::move(handler); }

 private:
  void from_host(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void config(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void own_config(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void from_port(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  RootPort port_;
  sim::TransactionTrace& trace_;
  std::function<void()> bus_reset_;
};

}  // namespace castor::cxl
