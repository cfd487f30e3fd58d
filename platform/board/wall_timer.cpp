#include "platform/board/wall_timer.h"

namespace castor::board {

WallTimer::WallTimer(sim::AsyncEvent& event) : event_(event), thread_([this] { run(); }) {}

WallTimer::~WallTimer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void WallTimer::arm(Clock::time_point when) {
  {
    const std::lock_guard lock(mutex_);
    when_ = when;
  }
  changed_.notify_one();
}

void WallTimer::disarm() {
  const std::lock_guard lock(mutex_);
  when_.reset();
}

void WallTimer::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!when_) {
      changed_.wait(lock);
    } else if (Clock::now() < *when_) {
      changed_.wait_until(lock, *when_);
    } else {
      when_.reset();
      event_.notify();
    }
  }
}

}  // namespace castor::board
