// Part of cuda_runtime.h: the C++ forms of the runtime's functions, each a cast around the C one.
#ifndef CASTOR_RUNTIME_TEMPLATES_H
#define CASTOR_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

// ---- memory -------------------------------------------------------------------------------------------------------
template <class T>
__inline__ __host__ cudaError_t cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void**>(devPtr), size);
}
__inline__ __host__ cudaError_t cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(pDevice), pHost, flags);
}
__inline__ __host__ cudaError_t cudaMallocManaged(void** devPtr, size_t size) {
  return ::cudaMallocManaged(devPtr, size, cudaMemAttachGlobal);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(devPtr), size, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(devPtr), pitch, width, height);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(ptr), size, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, memPool, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool,
                                                        cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(ptr), size, memPool, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* devPtr, size_t length = 0,
                                                         unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(devPtr), length, flags);
}

// ---- variables ----------------------------------------------------------------------------------------------------
template <class T>
__inline__ __host__ cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                                        size_t offset = 0,
                                                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                        cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), src, count, offset, kind, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, static_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                          cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, static_cast<const void*>(&symbol), count, offset, kind, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::cudaGetSymbolAddress(devPtr, static_cast<const void*>(&symbol));
}
template <class T>
__inline__ __host__ cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, static_cast<const void*>(&symbol));
}

// ---- execution ----------------------------------------------------------------------------------------------------
__inline__ __host__ cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                                 size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
__inline__ __host__ cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                                            size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}
template <class... Parameters, class... Arguments>
__inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                                   Arguments&&... arguments) {
  // The lambda's parameters are the kernel's: each argument is converted once and outlives the call.
  return [&](Parameters... converted) {
    void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&converted))..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), addresses);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class T>
__inline__ __host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, T* entry) {
  return ::cudaFuncGetAttributes(attr, reinterpret_cast<const void*>(entry));
}
template <class T>
__inline__ __host__ cudaError_t cudaFuncSetAttribute(T* func, enum cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(func), attr, value);
}
template <class T>
__inline__ __host__ cudaError_t cudaFuncSetCacheConfig(T* func, enum cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(func), cacheConfig);
}
template <class T>
__inline__ __host__ cudaError_t cudaFuncSetSharedMemConfig(T* func, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(func), config);
}
template <class T>
__inline__ __host__ cudaError_t cudaFuncGetName(const char** name, T* func) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(func));
}
template <class T>
__inline__ __host__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, T* symbol) {
  return ::cudaGetFuncBySymbol(functionPtr, reinterpret_cast<const void*>(symbol));
}
template <class T>
__inline__ __host__ cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, T* entry) {
  return ::cudaGetKernel(kernelPtr, reinterpret_cast<const void*>(entry));
}

// ---- libraries and graphs -----------------------------------------------------------------------------------------
template <class T>
__inline__ __host__ cudaError_t cudaLibraryGetGlobal(T** dptr, size_t* bytes, cudaLibrary_t library, const char* name) {
  return ::cudaLibraryGetGlobal(reinterpret_cast<void**>(dptr), bytes, library, name);
}
template <class T>
__inline__ __host__ cudaError_t cudaLibraryGetManaged(T** dptr, size_t* bytes, cudaLibrary_t library,
                                                      const char* name) {
  return ::cudaLibraryGetManaged(reinterpret_cast<void**>(dptr), bytes, library, name);
}
template <class T>
__inline__ __host__ cudaError_t cudaLibraryGetUnifiedFunction(T** fptr, cudaLibrary_t library, const char* symbol) {
  return ::cudaLibraryGetUnifiedFunction(reinterpret_cast<void**>(fptr), library, symbol);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                               const cudaGraphNode_t* pDependencies,
                                                               size_t numDependencies, const T& symbol, const void* src,
                                                               size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                          static_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                                 const cudaGraphNode_t* pDependencies,
                                                                 size_t numDependencies, void* dst, const T& symbol,
                                                                 size_t count, size_t offset,
                                                                 enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                            static_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                                     const void* src, size_t count, size_t offset,
                                                                     enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, static_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                                       size_t count, size_t offset,
                                                                       enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, static_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec,
                                                                         cudaGraphNode_t node, const T& symbol,
                                                                         const void* src, size_t count, size_t offset,
                                                                         enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, static_cast<const void*>(&symbol), src, count,
                                                    offset, kind);
}
template <class T>
__inline__ __host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                                           cudaGraphNode_t node, void* dst,
                                                                           const T& symbol, size_t count, size_t offset,
                                                                           enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, static_cast<const void*>(&symbol), count,
                                                      offset, kind);
}
__inline__ __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, cudaGraphNode_t*,
                                                     char*, size_t) {
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
template <class T>
__inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, T* objectToWrap,
                                                     unsigned int initialRefcount, unsigned int flags) {
  return ::cudaUserObjectCreate(
      object_out, objectToWrap, [](void* object) { delete static_cast<T*>(object); }, initialRefcount, flags);
}

// ---- batches ------------------------------------------------------------------------------------------------------
__inline__ __host__ cudaError_t cudaMemcpyBatchAsync(const void** dsts, const void** srcs, const size_t* sizes,
                                                     size_t count, cudaMemcpyAttributes attr, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attr, &first, 1, stream);
}
__inline__ __host__ cudaError_t cudaMemPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                          cudaMemLocation location, unsigned long long flags,
                                                          cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemPrefetchBatchAsync(dptrs, sizes, count, &location, &first, 1, flags, stream);
}
__inline__ __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                                    cudaMemLocation location, unsigned long long flags,
                                                                    cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, &location, &first, 1, flags, stream);
}

#endif
