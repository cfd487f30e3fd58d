// Context: one address space on the device with its streams, modules and memory. What a CUcontext points to.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gpu/abi/fault_record.h"
#include "runtime/driver/host_functions.h"
#include "runtime/driver/log.h"
#include "runtime/driver/memory_map.h"
#include "runtime/driver/pinned_slots.h"
#include "runtime/driver/staging.h"
#include "runtime/driver/stream.h"
#include "runtime/hal/client.h"

struct CUctx_st {
  virtual ~CUctx_st() = default;
};

namespace castor::driver {

struct Limits {
  std::size_t stack = 1024, printf_fifo = 1 << 20, malloc_heap = 8 << 20;
};

class Context final : public CUctx_st {
 public:
  static Result<std::unique_ptr<Context>> create(hal::Client& client, unsigned flags);
  ~Context() override;

  hal::Client& client() { return client_; }
  std::uint32_t id() const { return id_; }
  const castor_discovery_header& device() const { return client_.device(); }
  std::size_t device_local_limit() const { return client_.device().local_bytes; }

  /// CUDA_SUCCESS, or the error that ended the context; found out and reported on the first look.
  CUresult error();
  /// error(), or else the result of `status`.
  CUresult result(const Status& status);
  /// Is the address kept for device memory?
  bool reserves(std::uint64_t address) const {
    return address - reinterpret_cast<std::uint64_t>(reserved_) < reserved_bytes_;
  }
  /// Is there no point in waiting any longer?
  bool stopped() const { return client_.lost() || client_.faulted(id_); }

  /// The stream that a handle means: 0, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD or a created one; null if it is not alive or of
  /// another context.
  Stream* stream(CUstream handle);
  Stream& legacy_stream() { return *legacy_; }
  Result<Stream*> create_stream(unsigned flags, int priority);
  /// Its work goes on; what it holds is reused when that is done.
  void destroy_stream(Stream& stream);
  template <class Visit>
  void each_stream(Visit visit) {
    for (auto& [handle, stream] : streams_) visit(*stream);
  }

  /// A queue that nobody uses, an old one if there is one; once the context has its share of the device's, one of another stream.
  Result<std::shared_ptr<Queue>> take_queue();
  Result<std::shared_ptr<Timeline>> take_timeline();
  /// Word for a timestamp.
  Result<PinnedSlots::Word*> take_time() { return times_->take(); }
  void give_time(PinnedSlots::Word* slot) { times_->give(slot); }

  CUresult wait(const Timeline& timeline, std::uint64_t value, const std::function<void()>& before_sleep = {});
  CUresult synchronize(Stream& stream);
  CUresult synchronize();

  std::mutex& mutex() { return mutex_; }  // submissions, streams
  MemoryMap& memory() { return memory_; }
  Staging& staging() { return staging_; }
  HostFunctions& host_functions() { return host_functions_; }

  unsigned flags = 0;
  Limits limits;
  CUfunc_cache cache_config = CU_FUNC_CACHE_PREFER_NONE;
  const unsigned long long number;  // unique in the process

 private:
  Context(hal::Client& client, unsigned context_flags);
  Status open();
  void collect_retired();

  hal::Client& client_;
  std::uint32_t id_ = 0;
  bool open_ = false;
  void* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;

  std::mutex mutex_;
  std::shared_ptr<PinnedSlots> slots_;  // of timelines, which only count up
  std::unique_ptr<PinnedSlots> times_;
  std::unordered_map<const Stream*, std::unique_ptr<Stream>> streams_;
  std::map<std::thread::id, Stream*> thread_streams_;
  Stream* legacy_ = nullptr;
  struct Retired {
    std::shared_ptr<Queue> queue;
    std::shared_ptr<Timeline> timeline;
    std::uint64_t until;
  };
  std::vector<Retired> retired_;
  std::vector<std::shared_ptr<Queue>> queues_;  // all of them
  std::size_t next_shared_ = 0;

  std::mutex error_mutex_;
  std::atomic<CUresult> error_{CUDA_SUCCESS};

  MemoryMap memory_;
  Staging staging_;
  HostFunctions host_functions_;
};

}  // namespace castor::driver
