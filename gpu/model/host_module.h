// HostModule: blocks HOST, MMU and DISPATCH with sockets and time. One SystemC process serves all user queues, the firmware's
// commands and the answers of the workers: it waits for nothing that can take long.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "gpu/model/copy_engine_module.h"
#include "gpu/model/dispatcher.h"
#include "gpu/model/fault_ring.h"
#include "gpu/model/gpu_spec.h"
#include "gpu/model/interrupt_tree.h"
#include "gpu/model/mailbox.h"
#include "gpu/model/mmu.h"
#include "gpu/model/queue_scheduler.h"
#include "gpu/model/semaphore_watch.h"

namespace castor::gpu {

class HostModule : public sc_core::sc_module, private DispatchEvents {
 public:
  /// What the block needs of its neighbours.
  struct Ports {
    Mmu& mmu;
    InterruptTree& interrupts;
    CopyJobs& copy_jobs;
    std::vector<CopyEngineModule*> copy_engines;
    std::function<void(std::uint32_t irqs)> firmware_irq;                          // bits of GSP_LOCAL.IRQ_PENDING
    std::function<void(std::uint16_t pasid, std::uint32_t index)> firmware_fault;  // before the FAULT irq
  };
  HostModule(sc_core::sc_module_name name, const GpuSpec& spec, Ports ports);
  ~HostModule() override;

  BusMaster bus;

  RegisterBank& host_bank() { return host_bank_; }
  RegisterBank& mmu_bank() { return mmu_bank_; }
  RegisterBank& dispatch_bank() { return dispatch_bank_; }
  RegisterBank& sm_bank(std::size_t sm) { return *sm_banks_[sm]; }

  /// A doorbell write in the page of `pasid`. False: no queue of his.
  bool doorbell(std::uint32_t token, std::uint16_t pasid);
  /// What has been executed so far. From any thread.
  Dispatcher::Stats statistics() const { return dispatcher_->stats(); }
  /// Device time; the kernel's time never lags behind it by more than the present call.
  std::uint64_t now_ns();
  /// Stops everything and forgets all contexts; from an SC_THREAD, returns when nothing executes any more.
  void reset();
  void shut_down();

 private:
  // What the workers tell.
  struct GridFinished {
    std::uint64_t id;
  };
  struct GridFaulted {
    sm::SmFault fault;
    std::uint64_t id;
  };
  struct ContextStopped {
    std::uint16_t pasid;
  };
  struct Invalidated {
    std::uint64_t id;
  };
  struct SemaphoreReached {};
  using Letter = std::variant<std::monostate, GridFinished, GridFaulted, ContextStopped, Invalidated, SemaphoreReached>;

  void grid_finished(std::uint64_t id) override { mailbox_.post(GridFinished{id}); }
  void grid_faulted(const sm::SmFault& fault, std::uint64_t id) override { mailbox_.post(GridFaulted{fault, id}); }
  void context_stopped(std::uint16_t pasid) override { mailbox_.post(ContextStopped{pasid}); }
  void invalidated(std::uint64_t id) override { mailbox_.post(Invalidated{id}); }

  using Start = QueueScheduler::Start;

  void connect_registers();
  void connect_status();

  // host_module.cpp: the process and fetching
  void serve();
  bool read_mail();
  void handle(const GridFinished& letter);
  void handle(const GridFaulted& letter);
  void handle(const ContextStopped& letter);
  void handle(const Invalidated& letter);
  bool fetch();

  // packet_runner.cpp: what packets do
  bool start_packet();
  void run(const Start& start);
  void run_dispatch(const Start& start);
  void run_copy(const Start& start);
  void run_wait(const Start& start);
  void store_and_end(const Start& start, std::uint64_t value);
  bool finish_packet();
  void ended(const Start& start) { ended_.push_back(start); }
  void look_at_waits();
  void watch_waits();
  VirtAddr place_of(const Start& start) const;

  // context_control.cpp: faults, contexts, translations
  void command(std::uint32_t op);
  castor_host_result execute(std::uint32_t op);
  castor_host_result begin_stop(bool restart);
  void drop_work(std::uint16_t pasid);
  bool finish_stop();
  bool restart_queue(unsigned queue);
  void stop_by(const Fault& fault, const Start& start);
  void stop_by(unsigned packet_problem, const Start& start);
  void stop_by(const castor_fault_record& record);
  void write_record(const castor_fault_record& record);
  void begin_invalidation();

  GpuSpec spec_;
  Ports ports_;
  RegisterBank host_bank_, mmu_bank_, dispatch_bank_;
  std::vector<std::unique_ptr<RegisterBank>> sm_banks_;
  FaultRing fatal_ring_;
  DeviceClock clock_;
  Mailbox<Letter> mailbox_;
  QueueScheduler scheduler_;
  std::unique_ptr<Dispatcher> dispatcher_;
  SemaphoreWatch watch_;

  sc_core::sc_event wake_, mail_read_;
  sc_core::sc_time ahead_;
  std::map<std::uint64_t, Start> grids_;  // running, by id
  std::uint64_t last_grid_ = 0;
  std::list<Start> waits_;   // semaphore packets that wait
  std::deque<Start> ended_;  // packets that have done their work but not told yet
  struct CopyFault {
    Start start;
    Fault fault;
  };
  std::deque<CopyFault> copy_faults_;

  struct Stop {
    std::uint16_t pasid;
    bool restart;
  };
  std::optional<Stop> stop_;                      // the firmware's command under way
  std::map<std::uint16_t, unsigned> stops_open_;  // that the dispatcher has not acknowledged, by context
  unsigned invalidations_open_ = 0;
  std::uint32_t invalidations_done_ = 0;
};

}  // namespace castor::gpu
