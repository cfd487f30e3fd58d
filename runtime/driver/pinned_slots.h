// 64-byte slots in coherent host memory that a context maps: semaphores, timestamps. Timeline: a semaphore that only counts up.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "platform/core/result.h"
#include "runtime/hal/client.h"

namespace castor::driver {

class PinnedSlots {
 public:
  using Word = std::atomic<std::uint64_t>;

  PinnedSlots(hal::Client& client, std::uint32_t context) : client_(client), context_(context) {}
  ~PinnedSlots();

  Result<Word*> take();
  void give(Word* slot);

 private:
  Status grow();

  hal::Client& client_;
  const std::uint32_t context_;
  std::mutex mutex_;
  std::vector<hal::PinnedMemory> blocks_;
  std::vector<Word*> free_;
};

/// Completion word of a stream. Shared by the stream and the events that wait for a value of it. It goes on from the value that its slot
/// had reached for an earlier owner: a packet that still waits for one of that owner's values then finds it reached.
class Timeline {
 public:
  Timeline(std::shared_ptr<PinnedSlots> slots, PinnedSlots::Word* word) : slots_(std::move(slots)), word_(word) {}
  ~Timeline() { slots_->give(word_); }
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  std::uint64_t reached() const { return word_->load(std::memory_order_acquire); }
  bool reached(std::uint64_t value) const { return reached() >= value; }
  void signal(std::uint64_t value) { word_->store(value, std::memory_order_release); }
  std::uint64_t va() const { return reinterpret_cast<std::uint64_t>(word_); }

 private:
  std::shared_ptr<PinnedSlots> slots_;
  PinnedSlots::Word* word_;
};

}  // namespace castor::driver
