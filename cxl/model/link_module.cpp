#include "cxl/model/link_module.h"

#include "platform/core/check.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

namespace castor::cxl {
namespace {

constexpr std::uint64_t kPacketOverhead = 24;  // header, sequence number, CRC, framing
constexpr std::uint64_t kMaxPayload = 256;

std::span<const std::byte> data_of(const tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<const std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}

bool is_config(const sim::Tlp& tlp) {
  return tlp.kind == sim::TlpKind::config_read || tlp.kind == sim::TlpKind::config_write;
}

sim::TraceRecord record_of(const tlm::tlm_generic_payload& payload, const sim::Tlp& tlp, std::uint64_t time_ps,
                           std::string_view route) {
  return {.time_ps = time_ps,
          .from = tlp.initiator,
          .config = is_config(tlp),
          .address = payload.get_address(),
          .bytes = payload.get_data_length(),
          .route = route};
}

}  // namespace

LinkModule::LinkModule(sc_core::sc_module_name name, const LinkSpec& spec, sim::TransactionTrace& trace)
    : sc_module(name),
      upper_in("upper_in"),
      lower_out("lower_out"),
      lower_in("lower_in"),
      upper_out("upper_out"),
      spec_(spec),
      trace_(trace) {
  upper_in.register_b_transport(this, &LinkModule::down);
  lower_in.register_b_transport(this, &LinkModule::up);
}

sc_core::sc_time LinkModule::flight(std::uint64_t data_bytes) const {
  const std::uint64_t packets = data_bytes == 0 ? 1 : (data_bytes + kMaxPayload - 1) / kMaxPayload;
  const auto bytes = static_cast<double>(data_bytes + packets * kPacketOverhead);
  return sim::nanoseconds(spec_.latency_ns + bytes / spec_.bytes_per_ns());
}

void LinkModule::cross(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                       tlm_utils::simple_initiator_socket<LinkModule>& out) {
  const auto* tlp = payload.get_extension<sim::Tlp>();
  CHECK(tlp != nullptr, "packets on a link say what they are");
  const std::uint64_t bytes = payload.get_data_length();
  if (trace_.enabled()) show_request(payload, delay);
  delay += flight(payload.is_write() ? bytes : 0);
  out->b_transport(payload, delay);
  if (sim::is_posted(tlp->kind)) return;
  if (trace_.enabled()) show_completion(payload, delay);
  delay += flight(payload.is_read() ? bytes : 0);
}

void LinkModule::show_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const auto& tlp = *payload.get_extension<sim::Tlp>();
  auto record = record_of(payload, tlp, sim::picoseconds(sc_core::sc_time_stamp() + delay), basename());
  record.kind = sim::name(tlp.kind);
  if (payload.is_write()) record.data = data_of(payload);
  trace_.record(record);
}

void LinkModule::show_completion(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const auto& tlp = *payload.get_extension<sim::Tlp>();
  auto record = record_of(payload, tlp, sim::picoseconds(sc_core::sc_time_stamp() + delay), basename());
  const bool with_data = payload.is_response_ok() && payload.is_read();
  record.kind = !payload.is_response_ok() ? "UR" : with_data ? "CplD" : "Cpl";
  if (with_data) record.data = data_of(payload);
  trace_.record(record);
}

}  // namespace castor::cxl
