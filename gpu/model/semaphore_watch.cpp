#include "gpu/model/semaphore_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gpu/model/shared_bytes.h"

namespace castor::gpu {
namespace {
// A word that is reached late costs its waiter this much; words that stay away cost the host's processor little.
constexpr std::chrono::microseconds kShortest{20}, kLongest{500};
}  // namespace

SemaphoreWatch::SemaphoreWatch(std::function<void()> reached) : reached_(std::move(reached)) {}

SemaphoreWatch::~SemaphoreWatch() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SemaphoreWatch::watch(std::vector<Word> words) {
  {
    std::lock_guard lock(mutex_);
    words_ = std::move(words);
    if (!words_.empty() && !thread_.joinable()) thread_ = std::thread([this] { look(); });
  }
  changed_.notify_all();
}

void SemaphoreWatch::look() {
  auto pause = kShortest;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (words_.empty()) {
      pause = kShortest;
      changed_.wait(lock);
      continue;
    }
    const auto there = std::erase_if(words_, [](const Word& word) { return shared_load64(word.host) >= word.value; });
    if (there != 0) {
      reached_();
      continue;
    }
    if (changed_.wait_for(lock, pause) == std::cv_status::no_timeout) pause = kShortest;
    pause = std::min(2 * pause, kLongest);
  }
}

}  // namespace castor::gpu
