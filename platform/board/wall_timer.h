// WallTimer: wakes the SystemC kernel when a moment of the computer's own time has come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "platform/sim/async_event.h"

namespace castor::board {

/// Time limits of the driver count in the computer's time, not in simulated time: that stands still while host threads run guest
/// code, and leaps when nothing else is to be simulated.
class WallTimer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit WallTimer(sim::AsyncEvent& event);
  ~WallTimer();

  /// Notifies the event at `when`; one moment at a time, the newest counts.
  void arm(Clock::time_point when);
  void disarm();

 private:
  void run();

  sim::AsyncEvent& event_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Clock::time_point> when_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace castor::board
