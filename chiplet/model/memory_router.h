// MemoryRouter: the on-package network. Cuts accesses at the interleave boundaries and sends each piece to its die; those of
// other dies than the asker's cross the die-to-die link.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <memory>
#include <vector>

#include "chiplet/model/address_map.h"
#include "chiplet/model/die_module.h"
#include "platform/sim/systemc.h"

namespace castor::chiplet {

class MemoryRouter : public sc_core::sc_module {
 public:
  MemoryRouter(sc_core::sc_module_name name, const PackageSpec& spec, const AddressMap& map, gpu::DeviceMemory& memory,
               std::vector<DieModule*> dies);

  /// From the front end, which is on die 0, and from BAR4.
  tlm_utils::multi_passthrough_target_socket<MemoryRouter> in;

 private:
  void access(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int, tlm::tlm_generic_payload& payload);
  bool direct(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  PackageSpec spec_;
  const AddressMap& map_;
  gpu::DeviceMemory& device_memory_;
  std::vector<DieModule*> dies_;
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<MemoryRouter>>> to_dies_;
};

}  // namespace castor::chiplet
