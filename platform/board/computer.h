// Computer: the modules of a machine and how they are connected.
#pragma once

#include <memory>

#include "chiplet/model/package_module.h"
#include "cxl/model/endpoint_module.h"
#include "cxl/model/link_module.h"
#include "cxl/model/root_complex_module.h"
#include "platform/board/host_bridge_module.h"
#include "platform/board/hosted_driver_module.h"
#include "platform/board/machine_spec.h"
#include "platform/sim/transaction_trace.h"

namespace castor::board {

/// What the package needs of the fabric besides its sockets.
class PackagePort final : public gpu::HostPort {
 public:
  explicit PackagePort(const HostMemory& memory) : memory_(memory) {}
  void connect(cxl::EndpointModule& endpoint) { endpoint_ = &endpoint; }

  std::byte* direct(BusAddr address, std::uint64_t bytes) override {
    return endpoint_->may_master() ? memory_.find(address, bytes) : nullptr;
  }
  void interrupt(unsigned vector) override { endpoint_->raise(vector); }

 private:
  const HostMemory& memory_;
  cxl::EndpointModule* endpoint_ = nullptr;
};

class Computer : public sc_core::sc_module {
 public:
  Computer(sc_core::sc_module_name name, const MachineSpec& spec, std::vector<std::byte> firmware);

  sim::TransactionTrace trace;
  HostMemory memory;
  HostBridgeModule host_bridge;
  cxl::RootComplexModule root_complex;
  cxl::LinkModule link;
  cxl::EndpointModule endpoint;
  PackagePort package_port;
  chiplet::PackageModule package;
  HostedDriverModule driver;

  const MachineSpec& spec() const { return spec_; }

 private:
  void connect();

  MachineSpec spec_;
};

}  // namespace castor::board
