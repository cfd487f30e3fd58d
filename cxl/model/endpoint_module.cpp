#include "cxl/model/endpoint_module.h"

#include <cstring>

#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

namespace castor::cxl {
namespace {

constexpr double kConfigNs = 20;  // of the endpoint's own logic

std::span<std::byte> data_of(tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}

}  // namespace

EndpointModule::EndpointModule(sc_core::sc_module_name name, const EndpointSpec& spec)
    : sc_module(name),
      link_in("link_in"),
      link_out("link_out"),
      bar0("bar0"),
      bar2("bar2"),
      bar4("bar4"),
      device("device"),
      function_(spec) {
  link_in.register_b_transport(this, &EndpointModule::from_link);
  device.register_b_transport(this, &EndpointModule::from_device);
}

void EndpointModule::reset() {
  function_.reset();
  may_master_ = function_.may_master();
  if (reset_handler_) reset_handler_();
}

void EndpointModule::from_link(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* tlp = payload.get_extension<sim::Tlp>();
  const bool is_config =
      tlp != nullptr && (tlp->kind == sim::TlpKind::config_read || tlp->kind == sim::TlpKind::config_write);
  if (is_config) {
    config(payload);
    delay += sim::nanoseconds(kConfigNs);
  } else {
    memory(payload, delay);
  }
}

void EndpointModule::config(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const auto offset = static_cast<std::uint16_t>(address & 0xfff);
  const auto data = data_of(payload);
  if ((address >> 12 & 0xff) != 0 || data.size() > 4) {  // device 0, function 0 is all there is below the link
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  std::uint32_t value = 0;
  if (payload.is_read()) {
    value = function_.config_read(offset, static_cast<unsigned>(data.size()));
    std::memcpy(data.data(), &value, data.size());
    return;
  }
  std::memcpy(&value, data.data(), data.size());
  const auto id = static_cast<std::uint16_t>(address >> 12);
  const bool was_reset = function_.config_write(id, offset, static_cast<unsigned>(data.size()), value);
  may_master_ = function_.may_master();
  if (was_reset && reset_handler_) reset_handler_();
  send_messages();
}

void EndpointModule::memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const auto hit = function_.decode(address, payload.get_data_length());
  if (!hit) {
    function_.note_unsupported(address, payload.get_data_length());
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (hit->bar == 0 && function_.owns(hit->offset)) {
    msix(payload, hit->offset);
    return;
  }
  auto& socket = hit->bar == 0 ? bar0 : hit->bar == 2 ? bar2 : bar4;
  payload.set_address(hit->offset);
  socket->b_transport(payload, delay);
  payload.set_address(address);
  if (!payload.is_response_ok()) function_.note_unsupported(address, payload.get_data_length());
}

void EndpointModule::msix(tlm::tlm_generic_payload& payload, std::uint64_t offset) {
  const auto data = data_of(payload);
  const bool answered = payload.is_read() ? function_.msix_read(offset, data) : function_.msix_write(offset, data);
  payload.set_response_status(answered ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.is_write()) send_messages();
}

void EndpointModule::from_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!function_.may_master()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  sim::Tlp* const before = payload.get_extension<sim::Tlp>();
  sim::Tlp tlp;
  tlp.kind = payload.is_write() ? sim::TlpKind::memory_write : sim::TlpKind::memory_read;
  tlp.requester = function_.id();
  tlp.initiator = before != nullptr ? before->initiator : "gpu";  // the block of the device, if it says so
  payload.set_extension(&tlp);
  link_out->b_transport(payload, delay);
  payload.set_extension(before);
  if (!payload.is_response_ok()) function_.note_refused();
}

void EndpointModule::raise(unsigned vector) {
  function_.raise(vector);
  send_messages();
}

void EndpointModule::send_messages() {
  for (const MsixMessage& message : function_.take_messages()) {
    std::uint32_t data = message.data;
    sim::Transaction write(sim::TlpKind::msix, "gpu", message.address, &data, sizeof data);
    write.tlp().requester = function_.id();
    sc_core::sc_time delay;  // posted: the device goes on
    link_out->b_transport(write, delay);
    if (!write.ok()) function_.note_refused();
  }
}

}  // namespace castor::cxl
