// Process: what libcuda holds once in a process: the connection to the machine, the primary context, each thread's stack of
// current contexts.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/driver/context.h"

namespace castor::driver {

inline constexpr int kDriverVersion = CUDA_VERSION;
inline constexpr int kComputeMajor = 12, kComputeMinor = 0;

class Process {
 public:
  static Process& get();

  CUresult init();
  /// CUDA_SUCCESS once cuInit has succeeded in this very process (a fork's child has nothing).
  CUresult check() const;
  hal::Client& client() { return *client_; }
  const castor_discovery_header& device() const { return client_->device(); }

  CUresult retain_primary(Context*& out);
  CUresult release_primary();
  CUresult reset_primary();
  CUresult set_primary_flags(unsigned flags);
  void primary_state(unsigned& flags, bool& active);
  Context* primary() const { return primary_.get(); }

  CUresult create(unsigned flags, Context*& out);
  CUresult destroy(Context* context);

 private:
  Status connect();
  /// In a fork's child: the machine must not live on because the child holds its socket.
  static void forked();
  std::unique_ptr<Context> take_primary();
  void close(std::unique_ptr<Context> context);

  std::mutex mutex_;
  std::atomic<pid_t> owner_{0};  // process that initialized
  CUresult init_result_ = CUDA_ERROR_NOT_INITIALIZED;
  std::unique_ptr<hal::Client> client_;
  std::unique_ptr<Context> primary_;
  unsigned primary_users_ = 0;
  unsigned primary_flags_ = 0;
  std::vector<std::unique_ptr<Context>> contexts_;
};

/// The thread's stack of contexts.
std::vector<Context*>& context_stack();
/// The context on top; null if there is none or it is no longer alive.
Context* current_context();
/// The context on top if it is usable; else why not.
CUresult use_current(Context*& context);
/// Is the handle a live context?
Context* context_of(CUcontext handle);

/// Within its life, stream 0 means the thread's own default stream.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
  static bool active();
};
/// What a stream argument means.
CUstream default_stream(CUstream handle);

}  // namespace castor::driver
