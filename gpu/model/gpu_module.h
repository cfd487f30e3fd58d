// GpuModule: the GPU's front end: registers, doorbells, host interface, copy engines, firmware hart, dispatcher. The dies'
// memory is behind the `memory` socket; who asks cannot tell how many dies there are.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "gpu/model/copy_engine_module.h"
#include "gpu/model/discovery_table.h"
#include "gpu/model/gsp_module.h"
#include "gpu/model/host_module.h"
#include "platform/sim/systemc.h"

namespace castor::gpu {

class GpuModule : public sc_core::sc_module {
 public:
  /// A block of the package that is not the front end's.
  struct ExtraBlock {
    const reg::BlockDef* block;
    RegisterMap::Place place;
    RegisterBank* bank;
  };
  struct Ports {
    DeviceMemory& memory;
    HostPort& host;
    std::vector<ExtraBlock> blocks;
  };
  GpuModule(sc_core::sc_module_name name, const GpuSpec& spec, const PackageFacts& facts, Ports ports);
  ~GpuModule() override;

  tlm_utils::simple_target_socket<GpuModule> bar0, bar2;
  tlm_utils::simple_initiator_socket<GpuModule> upstream, memory;

  RegisterMap& registers() { return registers_; }
  void shut_down() { host_.shut_down(); }
  Dispatcher::Stats statistics() const { return host_.statistics(); }
  /// Asks for a reset; it has happened when reset_done() is notified. From any SystemC process.
  void request_reset();
  const sc_core::sc_event& reset_done() const { return reset_done_; }

  /// BAR0 offset of a die's DIE block; its SM blocks follow at kSmBlocks.
  static constexpr std::uint32_t die_base(unsigned die) { return 0x100000u * (die + 1); }
  static constexpr std::uint32_t kSmBlocks = 0x10000;

 private:
  void access_bar0(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_bar2(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void forward_up(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void forward_memory(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void connect_boot();
  void place_blocks(const std::vector<ExtraBlock>& blocks);
  void hole(std::uint32_t offset);
  void bind_master(BusMaster& master);
  void write_discovery();
  void send_interrupts();
  void serve_reset();

  GpuSpec spec_;
  PackageFacts facts_;
  DeviceMemory& device_memory_;
  HostPort& host_port_;

  RegisterBank boot_bank_, test_bank_;
  RegisterMap registers_;
  std::deque<unsigned> vectors_;  // to be sent
  sc_core::sc_event vectors_added_, reset_asked_, reset_done_;
  InterruptTree interrupts_;
  Mmu mmu_;
  CopyJobs copy_jobs_;
  std::vector<std::unique_ptr<CopyEngineModule>> copy_engines_;
  GspModule gsp_;
  HostModule host_;
  std::vector<std::byte> discovery_;

  tlm_utils::multi_passthrough_target_socket<GpuModule> from_blocks_up_, from_blocks_memory_;
};

}  // namespace castor::gpu
