// PackageModule: the multi-die GPU package behind one PCIe/CXL function. What the board instantiates.
#pragma once

#include <memory>
#include <string>

#include "chiplet/model/package_spec.h"
#include "gpu/model/host_port.h"
#include "platform/sim/systemc.h"

namespace castor::chiplet {

class PackageModule : public sc_core::sc_module {
 public:
  /// `spec.check()` must be ok. `host` outlives the package.
  PackageModule(sc_core::sc_module_name name, const PackageSpec& spec, gpu::HostPort& host);
  ~PackageModule() override;

  /// Accesses by the host, addresses relative to the BAR.
  tlm::tlm_target_socket<> bar0;  // registers: aligned 32- or 64-bit accesses
  tlm::tlm_target_socket<> bar2;  // doorbell pages
  tlm::tlm_target_socket<> bar4;  // device memory; also transport_dbg and direct memory
  /// DMA by the device: bus addresses; at most 4 KiB a transaction, none crosses a 4 KiB boundary. From SC_THREADs.
  tlm::tlm_initiator_socket<> upstream;

  /// Ends all host threads that run guest code; the package does nothing more. Safe to call twice, and while work runs.
  void shut_down();

  /// As after power-on; function-level reset ends here, as does BOOT.RESET. From any SystemC process; it takes effect
  /// within the simulated time that running work needs to stop. Device memory keeps its content.
  void reset();

  /// What the SMs of all dies have executed since they were built. From any thread.
  struct Statistics {
    std::uint64_t kernels = 0, blocks = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;  // the same, weighted by the lanes that executed
    double kernel_seconds = 0;              // of the computer's own time, while a kernel was running
  };
  Statistics statistics() const;

  const PackageSpec& spec() const;
  /// The package as an indented tree, a line a block.
  std::string describe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same description from the specification alone (castor info).
std::string describe(const PackageSpec& spec);

}  // namespace castor::chiplet
