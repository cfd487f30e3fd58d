// Copies and fills of global memory, shared by the plain, the two-dimensional and the symbol forms.
#pragma once

#include "runtime/cudart/api.h"

namespace castor::cudart {

/// One address space: a device pointer is a number to the driver and a pointer to the runtime.
inline CUdeviceptr device_view(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline void* host_view(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

enum class Wait { until_done, no };

/// Copies `bytes`; Wait::no only queues it on `stream`.
cudaError_t copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, Wait wait);

/// True if the calling thread's stream 0 is its own, so that a blocking call has to wait for that stream.
bool per_thread_default();

}  // namespace castor::cudart
