// What the runtime keeps for each host thread.
#pragma once

#include <vector>

#include "runtime/cudart/api.h"

namespace castor::cudart {

/// What stands between <<< and >>>, from __cudaPushCallConfiguration until the kernel's host stub pops it.
struct CallConfiguration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

struct ThreadState {
  cudaError_t last_error = cudaSuccess;
  int device = -1;                    // -1: none chosen yet, device 0 or the first valid one
  CUcontext bound = nullptr;          // the context that we made current here
  unsigned generation = 0;            // of the device's primary context when we bound it
  CUstream default_stream = nullptr;  // what stream 0 means during the present call
  std::vector<CallConfiguration> configurations;
};

ThreadState& this_thread();

/// The driver's stream for the one that the caller named.
inline CUstream driver_stream(cudaStream_t stream) {
  return stream ? reinterpret_cast<CUstream>(stream) : this_thread().default_stream;
}

}  // namespace castor::cudart
