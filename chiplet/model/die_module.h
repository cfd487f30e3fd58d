// DieModule: one die's memory side: L2, HBM stacks, status block DIE. Functional and loosely timed: every access pays the
// latencies and its share of a stack's bandwidth; bytes are counted.
#pragma once

#include <cstdint>
#include <vector>

#include "chiplet/model/address_map.h"
#include "chiplet/model/package_spec.h"
#include "gpu/model/device_memory.h"
#include "platform/core/register_bank.h"
#include "platform/sim/systemc.h"

namespace castor::chiplet {

class DieModule : public sc_core::sc_module {
 public:
  DieModule(sc_core::sc_module_name name, const PackageSpec& spec, unsigned die, const AddressMap& map,
            gpu::DeviceMemory& memory);

  /// Accesses that lie on this die: device addresses, none crosses an interleave boundary.
  tlm_utils::simple_target_socket<DieModule> memory;

  RegisterBank& bank() { return bank_; }
  /// Bytes that came over the die-to-die link.
  void count_link(std::uint64_t bytes) { link_bytes_ += bytes; }
  std::uint64_t stack_bytes(unsigned stack) const { return stack_bytes_[stack]; }
  void reset();

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool move(tlm::tlm_generic_payload& payload);
  void show_counters();

  PackageSpec spec_;
  unsigned die_;
  const AddressMap& map_;
  gpu::DeviceMemory& device_memory_;
  RegisterBank bank_;
  std::uint64_t read_bytes_ = 0, write_bytes_ = 0, link_bytes_ = 0;
  std::vector<std::uint64_t> stack_bytes_;
};

}  // namespace castor::chiplet
