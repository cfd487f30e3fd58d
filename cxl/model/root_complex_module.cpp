#include "cxl/model/root_complex_module.h"

#include <cstring>

#include "platform/core/check.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

namespace castor::cxl {
namespace {

constexpr unsigned kPortDevfn = 1 << 3;  // 00:01.0
constexpr double kRouteNs = 10;

unsigned bus_of(std::uint64_t config_address) { return config_address >> 20 & 0xff; }
unsigned devfn_of(std::uint64_t config_address) { return config_address >> 12 & 0xff; }

}  // namespace

RootComplexModule::RootComplexModule(sc_core::sc_module_name name, const LinkSpec& link, sim::TransactionTrace& trace)
    : sc_module(name),
      host("host"),
      memory("memory"),
      port_down("port_down"),
      port_up("port_up"),
      port_(link),
      trace_(trace) {
  host.register_b_transport(this, &RootComplexModule::from_host);
  port_up.register_b_transport(this, &RootComplexModule::from_port);
}

void RootComplexModule::from_host(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* tlp = payload.get_extension<sim::Tlp>();
  CHECK(tlp != nullptr, "host accesses say what they are");
  delay += sim::nanoseconds(kRouteNs);
  if (tlp->kind == sim::TlpKind::config_read || tlp->kind == sim::TlpKind::config_write) {
    config(payload, delay);
  } else if (port_.forwards_down(payload.get_address(), payload.get_data_length())) {
    port_down->b_transport(payload, delay);
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

void RootComplexModule::config(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned bus = bus_of(payload.get_address());
  if (bus == 0 && devfn_of(payload.get_address()) == kPortDevfn) {
    own_config(payload, delay);
  } else if (bus != 0 && port_.holds_bus(bus) == RootPort::Below::type0) {
    port_down->b_transport(payload, delay);
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

void RootComplexModule::own_config(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const auto offset = static_cast<std::uint16_t>(payload.get_address() & 0xfff);
  const unsigned bytes = payload.get_data_length();
  std::uint32_t value = 0;
  CHECK(bytes <= sizeof value, "configuration accesses are at most four bytes");
  if (payload.is_read()) {
    value = port_.config_read(offset, bytes);
    std::memcpy(payload.get_data_ptr(), &value, bytes);
  } else {
    std::memcpy(&value, payload.get_data_ptr(), bytes);
    if (port_.config_write(offset, bytes, value) && bus_reset_) bus_reset_();
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const auto& tlp = *payload.get_extension<sim::Tlp>();
  trace_.record({.time_ps = sim::picoseconds(sc_core::sc_time_stamp() + delay),
                 .from = tlp.initiator,
                 .kind = sim::name(tlp.kind),
                 .config = true,
                 .address = payload.get_address(),
                 .bytes = bytes,
                 .data = {reinterpret_cast<const std::byte*>(payload.get_data_ptr()), bytes},
                 .route = basename()});
}

void RootComplexModule::from_port(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += sim::nanoseconds(kRouteNs);
  if (port_.forwards_up())
    memory->b_transport(payload, delay);
  else
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace castor::cxl
