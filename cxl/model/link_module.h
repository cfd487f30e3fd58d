// LinkModule: a PCI Express link between a root port and an endpoint. Adds the time that packets take and shows them to the trace.
#pragma once

#include <string>

#include "cxl/model/link_spec.h"
#include "platform/sim/systemc.h"
#include "platform/sim/transaction_trace.h"

namespace castor::cxl {

class LinkModule : public sc_core::sc_module {
 public:
  /// `trace` outlives the link.
  LinkModule(sc_core::sc_module_name name, const LinkSpec& spec, sim::TransactionTrace& trace);

  tlm_utils::simple_target_socket<LinkModule> upper_in;      // requests of the root port
  tlm_utils::simple_initiator_socket<LinkModule> lower_out;  // … to the endpoint
  tlm_utils::simple_target_socket<LinkModule> lower_in;      // requests of the endpoint
  tlm_utils::simple_initiator_socket<LinkModule> upper_out;  // … to the root port

  const LinkSpec& spec() const { return spec_; }

 private:
  void down(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { cross(payload, delay, lower_out); }
  void up(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { cross(payload, delay, upper_out); }
  void cross(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
             tlm_utils::simple_initiator_socket<LinkModule>& out);
  void show_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void show_completion(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time flight(std::uint64_t data_bytes) const;

  LinkSpec spec_;
  sim::TransactionTrace& trace_;
};

}  // namespace castor::cxl
