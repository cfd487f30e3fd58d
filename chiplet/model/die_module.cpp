#include "chiplet/model/die_module.h"

#include <bit>

#include "gpu/abi/register_view.h"
#include "platform/sim/time.h"

namespace castor::chiplet {

using namespace gpu::reg::die;

DieModule::DieModule(sc_core::sc_module_name name, const PackageSpec& spec, unsigned die, const AddressMap& map,
                     gpu::DeviceMemory& device_memory)
    : sc_module(name),
      memory("memory"),
      spec_(spec),
      die_(die),
      map_(map),
      device_memory_(device_memory),
      bank_(kRegisters),
      stack_bytes_(spec.stacks_per_die) {
  memory.register_b_transport(this, &DieModule::access);
  memory.register_transport_dbg(this, &DieModule::debug);
  show_counters();
  reset();
}

void DieModule::show_counters() {
  const auto pair = [this](std::uint32_t low, const std::uint64_t& counter) {
    bank_.on_read(low, [&counter] { return static_cast<std::uint32_t>(counter); });
    bank_.on_read(low + 4, [&counter] { return static_cast<std::uint32_t>(counter >> 32); });
  };
  pair(READ_BYTES_LO::offset, read_bytes_);
  pair(WRITE_BYTES_LO::offset, write_bytes_);
  pair(LINK_BYTES_LO::offset, link_bytes_);
}

void DieModule::reset() {
  bank_.reset();
  read_bytes_ = write_bytes_ = link_bytes_ = 0;
  stack_bytes_.assign(stack_bytes_.size(), 0);
  const std::uint64_t harvest = die_ < spec_.sm_harvest.size() ? spec_.sm_harvest[die_] : 0;
  const std::uint64_t all = spec_.sms_per_die == 64 ? ~0ull : (1ull << spec_.sms_per_die) - 1;
  bank_.set<ID>(die_);
  bank_.set<SMS>(static_cast<std::uint32_t>(std::popcount(all & ~harvest)));
  bank_.set<STACKS>(spec_.stacks_per_die);
  bank_.set<LINK>(LINK_UP::put(spec_.dies > 1));
  bank_.set64<HBM_BYTES_LO>(spec_.hbm_bytes_per_die);
  bank_.set<L2_BYTES>(spec_.l2_bytes_per_die);
}

bool DieModule::move(tlm::tlm_generic_payload& payload) {
  auto* bytes = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  const DevAddr address{payload.get_address()};
  if (payload.is_write()) return device_memory_.write(address, std::span(bytes, payload.get_data_length()));
  return device_memory_.read(address, std::span(bytes, payload.get_data_length()));
}

void DieModule::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!move(payload)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const std::uint64_t bytes = payload.get_data_length();
  (payload.is_write() ? write_bytes_ : read_bytes_) += bytes;
  stack_bytes_[map_.locate(DevAddr{payload.get_address()}).stack] += bytes;
  delay += sim::nanoseconds(spec_.l2_latency_ns + spec_.hbm_latency_ns +
                            static_cast<double>(bytes) / spec_.stack_bytes_per_ns);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned DieModule::debug(tlm::tlm_generic_payload& payload) { return move(payload) ? payload.get_data_length() : 0; }

}  // namespace castor::chiplet
