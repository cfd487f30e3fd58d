#include "runtime/driver/host_functions.h"

#include <chrono>

namespace castor::driver {

void HostFunctions::add(Task task) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void HostFunctions::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

std::list<HostFunctions::Task>::iterator HostFunctions::due() {
  const bool stopped = stopping_ || client_.lost() || client_.faulted(context_);
  auto it = tasks_.begin();
  while (it != tasks_.end() && !stopped && !it->timeline->reached(it->value)) ++it;
  return it;
}

void HostFunctions::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto task = due();
    if (task != tasks_.end()) {
      Task now = std::move(*task);
      tasks_.erase(task);
      lock.unlock();
      now.call(!now.timeline->reached(now.value));
      now.done->signal(now.done_value);
      now.ring();
      lock.lock();
      continue;
    }
    if (tasks_.empty() && stopping_) return;
    if (tasks_.empty()) {
      changed_.wait(lock);
      continue;
    }
    // A new task does not have to wake this wait: its stream's interrupt does.
    lock.unlock();
    (void)client_.wait([&] {
      const std::scoped_lock relock(mutex_);
      return stopping_ || client_.faulted(context_) || due() != tasks_.end();
    });
    lock.lock();
  }
}

}  // namespace castor::driver
