#include "chiplet/model/memory_router.h"

#include <algorithm>
#include <string>
#include <utility>

#include "platform/sim/time.h"

namespace castor::chiplet {

MemoryRouter::MemoryRouter(sc_core::sc_module_name name, const PackageSpec& spec, const AddressMap& map,
                           gpu::DeviceMemory& memory, std::vector<DieModule*> dies)
    : sc_module(name), in("in"), spec_(spec), map_(map), device_memory_(memory), dies_(std::move(dies)) {
  in.register_b_transport(this, &MemoryRouter::access);
  in.register_transport_dbg(this, &MemoryRouter::debug);
  in.register_get_direct_mem_ptr(this, &MemoryRouter::direct);
  for (DieModule* die : dies_) {
    const std::string socket = "to_die" + std::to_string(to_dies_.size());
    to_dies_.push_back(std::make_unique<tlm_utils::simple_initiator_socket<MemoryRouter>>(socket.c_str()));
    to_dies_.back()->bind(die->memory);
  }
}

// Pieces travel at the same time: the access takes as long as its slowest piece.
void MemoryRouter::access(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const DevAddr start{payload.get_address()};
  unsigned char* const data = payload.get_data_ptr();
  const std::uint64_t bytes = payload.get_data_length();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!device_memory_.contains(start, bytes)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  sc_core::sc_time slowest;
  for (std::uint64_t at = 0; at < bytes && payload.is_response_ok();) {
    const AddressMap::Home home = map_.locate(start + at);
    const std::uint64_t piece = std::min(bytes - at, home.bytes);
    sc_core::sc_time took;
    if (home.die != 0) {
      dies_[home.die]->count_link(piece);
      took += sim::nanoseconds(spec_.link_latency_ns + static_cast<double>(piece) / spec_.link_bytes_per_ns);
    }
    payload.set_address(start.value + at);
    payload.set_data_ptr(data + at);
    payload.set_data_length(static_cast<unsigned>(piece));
    (*to_dies_[home.die])->b_transport(payload, took);
    slowest = std::max(slowest, took);
    at += piece;
  }
  payload.set_address(start.value);
  payload.set_data_ptr(data);
  payload.set_data_length(static_cast<unsigned>(bytes));
  delay += slowest;
}

unsigned MemoryRouter::debug(int, tlm::tlm_generic_payload& payload) {
  const std::span data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  const DevAddr address{payload.get_address()};
  const bool moved = payload.is_write() ? device_memory_.write(address, data) : device_memory_.read(address, data);
  return moved ? payload.get_data_length() : 0;
}

bool MemoryRouter::direct(int, tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(device_memory_.at(DevAddr{0})));
  dmi.set_start_address(0);
  dmi.set_end_address(device_memory_.bytes() - 1);
  dmi.allow_read_write();
  return true;
}

}  // namespace castor::chiplet
