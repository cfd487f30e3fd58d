// HostFunctions: host functions and callbacks of streams. A thread of the driver calls each when its stream has come to it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/driver/pinned_slots.h"
#include "runtime/hal/client.h"

namespace castor::driver {

class HostFunctions {
 public:
  struct Task {
    std::shared_ptr<Timeline> timeline;  // of the stream
    std::uint64_t value;                 // when it gets there, the function's turn has come
    std::shared_ptr<Timeline> done;      // signalled with done_value afterwards
    std::uint64_t done_value;
    std::function<void()> ring;  // makes the device look again
    std::function<void(bool stopped)> call;
  };

  HostFunctions(hal::Client& client, std::uint32_t& context) : client_(client), context_(context) {}
  ~HostFunctions() { stop(); }

  void add(Task task);
  /// Calls what is left as stopped and ends the thread.
  void stop();

 private:
  void run();
  std::list<Task>::iterator due();

  hal::Client& client_;
  std::uint32_t& context_;
  std::mutex mutex_;
  std::list<Task> tasks_;
  std::thread thread_;
  std::condition_variable changed_;
  bool stopping_ = false;
};

}  // namespace castor::driver
