// What surrounds every exported call: the last error, sticky errors, the trace.
#pragma once

#include "runtime/cudart/thread_state.h"

namespace castor::cudart {

/// The driver's and the runtime's error codes have the same numbers.
constexpr cudaError_t to_runtime(CUresult result) { return static_cast<cudaError_t>(result); }

/// Notes the outcome of an exported call for cudaGetLastError, and in the trace if CASTOR_TRACE_API is set.
cudaError_t finish(const char* name, cudaError_t error);

/// The first error that ended the current device's context; cudaSuccess if it is alive.
cudaError_t sticky_error();
/// A new context starts without the errors of the old one.
void forget_sticky_error();

/// The answer of a GAP row; says so on stderr the first time.
cudaError_t not_supported(const char* name, const char* what);

template <class Body>
cudaError_t call(const char* name, Body body) {
  return finish(name, body());
}

/// A _ptsz or _ptds entry: stream 0 is the calling thread's own stream.
template <class Body>
cudaError_t call_per_thread(const char* name, Body body) {
  this_thread().default_stream = CU_STREAM_PER_THREAD;
  const cudaError_t error = body();
  this_thread().default_stream = nullptr;
  return finish(name, error);
}

}  // namespace castor::cudart

/// Leaves the function with the runtime's code if a call of the driver fails.
#define CUDART_TRY(driver_call)                                                                                        \
  do {                                                                                                                 \
    if (const CUresult result_ = (driver_call); result_ != CUDA_SUCCESS) return ::castor::cudart::to_runtime(result_); \
  } while (false)

/// The same for a call of our own.
#define CUDART_CHECK(runtime_call)                                                       \
  do {                                                                                   \
    if (const cudaError_t error_ = (runtime_call); error_ != cudaSuccess) return error_; \
  } while (false)
