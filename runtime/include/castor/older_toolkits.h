// Part of cuda_runtime.h: spellings of CUDA 12 and before, so that older programs compile unchanged.
#ifndef CASTOR_OLDER_TOOLKITS_H
#define CASTOR_OLDER_TOOLKITS_H

#include "cuda_runtime_api.h"

namespace castor {
__inline__ __host__ cudaMemLocation location_of(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
}  // namespace castor

__inline__ __host__ cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                                     cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(devPtr, count, castor::location_of(dstDevice), 0, stream);
}
__inline__ __host__ cudaError_t cudaMemAdvise(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                                              int device) {
  return ::cudaMemAdvise(devPtr, count, advice, castor::location_of(device));
}
__inline__ __host__ cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                         unsigned long long* id) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
__inline__ __host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                         const cudaGraphNode_t* to, size_t numDependencies) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies);
}

// Names that predate CUDA 4 and that older text books still use.
__inline__ __host__ cudaError_t cudaThreadSynchronize() { return ::cudaDeviceSynchronize(); }
__inline__ __host__ cudaError_t cudaThreadExit() { return ::cudaDeviceReset(); }
__inline__ __host__ cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return ::cudaDeviceSetLimit(limit, value);
}
__inline__ __host__ cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return ::cudaDeviceGetLimit(value, limit);
}
__inline__ __host__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return ::cudaDeviceSetCacheConfig(config);
}

#endif
