#include "runtime/driver/staging.h"

#include <algorithm>

#include "runtime/hal/access.h"

namespace castor::driver {

Staging::~Staging() {
  if (memory_.data != nullptr) (void)client_.unpin(memory_);  // its context has gone before
}

Status Staging::allocate(std::uint32_t context) {
  auto memory = client_.pin(kChunks * kChunkBytes);
  if (!memory) return memory.status();
  if (Status status = client_.map_host(context, *memory, hal::kData); !status) {
    (void)client_.unpin(*memory);
    return status;
  }
  memory_ = *memory;
  for (std::size_t i = 0; i < kChunks; ++i) chunks_[i].data = memory_.data + i * kChunkBytes;
  return {};
}

/// Under the mutex: the chunk in nobody's hands whose turn it is, or null.
Staging::Chunk* Staging::pick() {
  for (std::size_t i = 0; i < kChunks; ++i) {
    Chunk& chunk = chunks_[next_++ % kChunks];
    if (chunk.taken) continue;
    chunk.taken = true;
    return &chunk;
  }
  return nullptr;
}

/// Waits until the device has done with a chunk that is ours.
Result<Staging::Chunk*> Staging::settle(Chunk* chunk, std::uint32_t context) {
  const auto timeline = chunk->timeline;
  const std::uint64_t until = chunk->until;
  if (timeline == nullptr) return chunk;
  const auto done = [&] { return timeline->reached(until); };
  Status status = client_.wait([&] { return done() || client_.faulted(context); });
  if (status && done()) return chunk;
  give(chunk, nullptr, 0);
  return status ? Status{StatusCode::device_lost, "the context has been stopped by a fault"} : status;
}

Result<Staging::Chunk*> Staging::try_take(std::uint32_t context) {
  std::unique_lock lock(mutex_);
  if (memory_.data == nullptr) {
    if (Status status = allocate(context); !status) return status;
  }
  Chunk* chunk = pick();
  lock.unlock();
  return chunk == nullptr ? Result<Chunk*>(chunk) : settle(chunk, context);
}

Result<Staging::Chunk*> Staging::take(std::uint32_t context) {
  for (;;) {
    auto chunk = try_take(context);
    if (!chunk || *chunk != nullptr) return chunk;
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return std::ranges::any_of(chunks_, [](const Chunk& each) { return !each.taken; }); });
  }
}

void Staging::give(Chunk* chunk, std::shared_ptr<Timeline> timeline, std::uint64_t until) {
  const std::scoped_lock lock(mutex_);
  chunk->taken = false;
  chunk->timeline = std::move(timeline);
  chunk->until = until;
  given_.notify_one();
}

}  // namespace castor::driver
