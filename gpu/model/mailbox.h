// Mailbox: what worker threads tell the simulation, in order.
#pragma once

#include <deque>
#include <mutex>
#include <utility>

#include "platform/sim/async_event.h"

namespace castor::gpu {

template <class Letter>
class Mailbox {
 public:
  void post(Letter letter) {
    {
      std::lock_guard lock(mutex_);
      letters_.push_back(std::move(letter));
    }
    event_.notify();
  }
  /// False: empty.
  bool take(Letter& letter) {
    std::lock_guard lock(mutex_);
    if (letters_.empty()) return false;
    letter = std::move(letters_.front());
    letters_.pop_front();
    return true;
  }
  const sc_core::sc_event& arrived() const { return event_.event(); }

 private:
  std::mutex mutex_;
  std::deque<Letter> letters_;
  sim::AsyncEvent event_{"mailbox"};
};

}  // namespace castor::gpu
