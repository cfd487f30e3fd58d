#include "runtime/driver/staging.h"

#include <thread>

#include "runtime/kmd/kmd.h"

namespace castor::driver {

Staging::~Staging() {
  if (memory_.data != nullptr) (void)client_.unpin(memory_);  // its context has gone before
}

Status Staging::allocate(std::uint32_t context) {
  auto memory = client_.pin(kChunks * kChunkBytes);
  if (!memory) return memory.status();
  if (Status status = client_.map_host(context, *memory, CASTOR_KMD_DATA); !status) {
    (void)client_.unpin(*memory);
    return status;
  }
  memory_ = *memory;
  for (std::size_t i = 0; i < kChunks; ++i) chunks_[i].data = memory_.data + i * kChunkBytes;
  return {};
}

Result<Staging::Chunk*> Staging::take(std::uint32_t context) {
  std::unique_lock lock(mutex_);
  if (memory_.data == nullptr) {
    if (Status status = allocate(context); !status) return status;
  }
  Chunk& chunk = chunks_[next_++ % kChunks];
  while (chunk.taken) {  // by another thread, for as long as its copy in or out takes
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  chunk.taken = true;
  const auto timeline = chunk.timeline;
  const std::uint64_t until = chunk.until;
  lock.unlock();
  if (timeline == nullptr) return &chunk;
  const auto done = [&] { return timeline->reached(until); };
  Status status = client_.wait([&] { return done() || client_.faulted(context); });
  if (status && done()) return &chunk;
  give(&chunk, nullptr, 0);
  return status ? Status{StatusCode::device_lost, "the context has been stopped by a fault"} : status;
}

void Staging::give(Chunk* chunk, std::shared_ptr<Timeline> timeline, std::uint64_t until) {
  const std::scoped_lock lock(mutex_);
  chunk->taken = false;
  chunk->timeline = std::move(timeline);
  chunk->until = until;
}

}  // namespace castor::driver
