// Staging: pinned chunks through which pageable memory travels. A chunk is in use until the timeline it was given reaches its value.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "platform/core/result.h"
#include "runtime/driver/pinned_slots.h"
#include "runtime/hal/client.h"

namespace castor::driver {

class Staging {
 public:
  static constexpr std::size_t kChunkBytes = 1 << 20;
  static constexpr std::size_t kChunks = 8;

  struct Chunk {
    std::byte* data = nullptr;
    bool taken = false;
    std::shared_ptr<Timeline> timeline;
    std::uint64_t until = 0;

    std::uint64_t va() const { return reinterpret_cast<std::uint64_t>(data); }
  };

  Staging(hal::Client& client) : client_(client) {}
  ~Staging();

  /// A chunk that the device has done with, waiting for it if need be; device_lost if it never will. Null: all are in the hands of
  /// threads. A caller that holds one itself must then give it back before it asks again; one that holds none calls `take`.
  Result<Chunk*> try_take(std::uint32_t context);
  /// Waits for a chunk. Only for callers that hold none.
  Result<Chunk*> take(std::uint32_t context);
  /// Gives it back; free for others when the timeline reaches the value (no timeline: at once).
  void give(Chunk* chunk, std::shared_ptr<Timeline> timeline, std::uint64_t until);

 private:
  Status allocate(std::uint32_t context);
  Chunk* pick();
  Result<Chunk*> settle(Chunk* chunk, std::uint32_t context);

  hal::Client& client_;
  std::mutex mutex_;
  std::condition_variable given_;
  hal::PinnedMemory memory_;
  std::array<Chunk, kChunks> chunks_;
  std::size_t next_ = 0;
};

}  // namespace castor::driver
