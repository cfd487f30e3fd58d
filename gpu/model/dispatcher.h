// Dispatcher: hands the CTAs of grids to the SMs, whose work host threads do. Knows no SystemC.
//
// Contexts share the SMs by time: each has the whole of every SM in its turn, which a `Slot` stands for. A worker thread
// takes a slot that has something to do, fills it from the grids' own counters, runs it for a turn and puts it back; turns
// go round the contexts. The calls below come from one thread (the simulation's) and never wait for a worker.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/model/device_clock.h"
#include "gpu/sm/sm.h"
#include "platform/core/status.h"

namespace castor::gpu {

struct GridLaunch {
  std::uint64_t id = 0;      // the caller's; comes back in the events
  sm::CtaLaunch cta;         // facts of all CTAs; `cookie` and `index` are ours
  bool cooperative = false;  // all CTAs resident at once
};

/// What the dispatcher tells: from worker threads or from within a call, several at once. Must not call back.
class DispatchEvents {
 public:
  virtual ~DispatchEvents() = default;
  virtual void grid_finished(std::uint64_t id) = 0;
  /// The context's grids have been cancelled.
  virtual void grid_faulted(const sm::SmFault& fault, std::uint64_t id) = 0;
  virtual void context_stopped(std::uint16_t pasid) = 0;
  virtual void invalidated(std::uint64_t id) = 0;
};

class Dispatcher {
 public:
  struct Spec {
    std::vector<sm::SmSpec> sms;
    unsigned workers = 1;
    std::uint32_t clock_khz = 1'000'000;
  };
  Dispatcher(Spec spec, DeviceClock& clock, DispatchEvents& events);
  ~Dispatcher();

  /// Whether the grid could ever run; the status says which limit it breaks.
  Status check(const GridLaunch& grid) const;
  /// Answered by grid_finished or grid_faulted, or by nothing if its context is stopped first.
  void start(const GridLaunch& grid);
  /// Cancels everything of the context; context_stopped when none of its instructions executes any more.
  void stop(std::uint16_t pasid);
  /// `invalidated(id)` once no SM holds an older translation of the range (0 bytes: the whole context).
  void invalidate(std::uint64_t id, std::uint16_t pasid, VirtAddr address, std::uint64_t bytes);
  /// Cancels everything and ends the workers.
  void shut_down();

  struct Stats {
    std::uint64_t grids = 0, ctas = 0, warp_instructions = 0;
    std::uint64_t thread_instructions = 0;  // the same, weighted by the lanes that executed
    std::uint64_t busy_ns = 0;              // of the computer's own time, while a grid was running
  };
  Stats stats() const;
  bool busy() const { return active_grids_.load(std::memory_order_relaxed) != 0; }
  std::uint64_t sm_ctas(std::size_t sm) const;
  bool sm_busy(std::size_t sm) const;

 private:
  struct Grid;
  struct Slot;
  struct Share;
  /// A request that every slot of a context must acknowledge.
  struct Acknowledge {
    bool is_stop;
    std::uint16_t pasid;
    std::uint64_t id;  // the caller's
    std::vector<std::pair<Slot*, sm::Sm::Ticket>> open;
  };

  void work();
  Slot* take_slot_locked();
  Slot* take_slot_locked(Share& share);
  void turn(Slot& slot);
  bool fill(Slot& slot);
  enum class Launched { no, yes, refused };
  Launched launch_next(Slot& slot, const std::shared_ptr<Grid>& grid);
  void account(Slot& slot, const sm::RunReport& report);
  void finish(Grid& grid);
  void fault(const sm::SmFault& fault);
  template <class Request>
  void request(Acknowledge acknowledge, Request&& each);
  void cancel_grids_locked(Share& share);
  void set_resident(Slot& slot);
  bool obeyed(Slot& slot, sm::Sm::Ticket ticket);
  void release_locked(Share& share);
  void count_active_locked(std::int64_t change);
  void refresh_candidates(Slot& slot);
  void check_acknowledges();
  std::uint64_t cta_capacity(const GridLaunch& grid) const;

  Spec spec_;
  DeviceClock& clock_;
  DispatchEvents& events_;
  sm::Sm probe_;  // answers `check`

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::uint16_t, std::unique_ptr<Share>> shares_;  // of the contexts that have run something; never removed
  std::uint16_t last_context_ = 0;                          // whose slot was taken last
  std::deque<Acknowledge> acknowledges_;
  bool ending_ = false;

  struct SmCounters {
    std::atomic<std::uint64_t> ctas{0};
    std::atomic<unsigned> resident{0};  // of all contexts
  };
  std::vector<SmCounters> counters_;  // by SM
  std::atomic<bool> acknowledges_open_{false};
  std::atomic<std::uint64_t> active_grids_{0}, grids_done_{0}, ctas_done_{0}, issued_{0}, thread_instructions_{0};
  std::uint64_t busy_ns_ = 0;                         // of the busy times that have ended
  std::chrono::steady_clock::time_point busy_since_;  // while a grid is active
  std::vector<std::thread> workers_;
};

}  // namespace castor::gpu
