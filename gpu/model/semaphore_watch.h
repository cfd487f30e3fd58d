// SemaphoreWatch: looks after 64-bit words that a queue waits for and that a kernel or the host program may write at any time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace castor::gpu {

class SemaphoreWatch {
 public:
  /// `reached` is called from the watch's own thread when one or more words have reached their value.
  explicit SemaphoreWatch(std::function<void()> reached);
  ~SemaphoreWatch();

  struct Word {
    const std::byte* host;  // aligned
    std::uint64_t value;
  };
  /// Replaces the list. When it returns no word of an older list is looked at any more.
  void watch(std::vector<Word> words);

 private:
  void look();

  std::function<void()> reached_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Word> words_;
  bool ending_ = false;
  std::thread thread_;  // started with the first word
};

}  // namespace castor::gpu
