// HostedDriverModule: the host's processor, as far as this machine has one: a SystemC process that runs the kernel-mode driver.
// Whatever the driver does to the device is a transaction out of socket `bus`.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "platform/board/host_bridge_module.h"
#include "platform/board/wall_timer.h"
#include "runtime/hal/kmd_device.h"

namespace castor::board {

class HostedDriverModule : public sc_core::sc_module, public hal::Executor, public hal::HostMemory {
 public:
  SC_HAS_PROCESS(HostedDriverModule);

  struct Parts {
    HostBridgeModule& bridge;
    board::HostMemory& memory;
    std::vector<std::byte> firmware;
  };
  HostedDriverModule(sc_core::sc_module_name name, Parts parts);
  ~HostedDriverModule() override;

  tlm_utils::simple_initiator_socket<HostedDriverModule> bus;

  /// Set before the simulation starts: gets what the driver tells of contexts, on the kernel's thread.
  using NoticeHandler = std::function<void(hal::Notice, std::uint32_t context)>;
  void on_notice(NoticeHandler handler) { notice_handler_ = std::move(handler); }

  /// Set before the simulation starts: told once, on the kernel's thread, that the device is up, or why not.
  void on_up(std::function<void(const Status&)> handler) { up_handler_ = std::move(handler); }
  castor_kmd* kmd() const { return kmd_; }

  // hal::Executor, from any other thread. Once the driver has ended, run answers false and post drops.
  bool run(const std::function<void()>& work) override;
  void post(std::function<void()> work) override;
  /// Ends the driver's process and the simulation; does not wait.
  void end();
  /// The simulation is over: releases everybody who still waits.
  void ended();

  // hal::HostMemory, on the driver's process.
  Result<std::uint64_t> add(std::span<std::byte> memory) override { return parts_.memory.pin(memory); }
  void remove(std::uint64_t pin) override { parts_.memory.unpin(pin); }

 private:
  struct Port;  // the driver's table of functions; kmd_port.cpp
  struct Job {
    std::function<void()> work;
    std::shared_ptr<std::promise<bool>> done;  // shared: the waiter may be gone before set_value returns
  };

  void process();
  Status bring_up();
  void note_error(const char* text);
  bool run_jobs();
  bool push(Job job);
  void access(bool write, std::uint64_t address, void* data, std::size_t bytes);
  void burst(bool write, std::uint64_t address, void* data, std::size_t bytes);
  std::uint64_t wait_for_interrupt(std::uint64_t mask, std::uint64_t timeout_ns);
  void notify(castor_kmd_notice notice, std::uint32_t context);

  Parts parts_;
  std::unique_ptr<Port> port_;
  NoticeHandler notice_handler_;
  castor_kmd* kmd_ = nullptr;
  std::function<void(const Status&)> up_handler_;
  std::string reasons_;  // the errors that the driver has told of while it came up

  sim::AsyncEvent job_arrived_{"job_arrived"};
  sim::AsyncEvent time_over_{"time_over"};
  WallTimer timer_{time_over_};
  std::mutex mutex_;
  std::deque<Job> jobs_;
  bool ending_ = false;
};

}  // namespace castor::board
