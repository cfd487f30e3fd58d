// Part of cuda_runtime.h: the block size that keeps most threads of a multiprocessor busy.
#ifndef CASTOR_OCCUPANCY_H
#define CASTOR_OCCUPANCY_H

#include "cuda_runtime_api.h"

namespace castor {

struct OccupancyLimits {
  int multiprocessors, warp, device_block, function_block;
};

__inline__ __host__ cudaError_t occupancy_limits(OccupancyLimits* limits, const void* function) {
  int device = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&limits->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&limits->warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&limits->device_block, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, function);
  if (error == cudaSuccess) limits->function_block = attributes.maxThreadsPerBlock;
  return error;
}

// `dynamic_shared(block)` gives the dynamic shared memory that a block of that size wants.
template <class SharedOfBlock>
__inline__ __host__ cudaError_t best_block(int* min_grid, int* block, const void* function,
                                           SharedOfBlock dynamic_shared, int block_limit, unsigned int flags) {
  if (!min_grid || !block || !function) return cudaErrorInvalidValue;
  OccupancyLimits limits = {};
  cudaError_t error = occupancy_limits(&limits, function);
  if (error != cudaSuccess) return error;
  int largest = limits.device_block < limits.function_block ? limits.device_block : limits.function_block;
  if (block_limit > 0 && block_limit < largest) largest = block_limit;

  int best_threads = 0, best_size = 0, best_blocks = 0;
  // Whole warps from the largest block down, the largest block itself first even if its last warp is not full.
  int size = largest;
  while (size > 0) {
    int blocks = 0;
    error =
        ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, size, dynamic_shared(size), flags);
    if (error != cudaSuccess) return error;
    if (blocks * size > best_threads) {
      best_threads = blocks * size;
      best_size = size;
      best_blocks = blocks;
    }
    size = (size - 1) / limits.warp * limits.warp;
  }
  *min_grid = best_blocks * limits.multiprocessors;
  *block = best_size;
  return cudaSuccess;
}

}  // namespace castor

template <class UnaryFunction, class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T func, UnaryFunction blockSizeToDynamicSMemSize, int blockSizeLimit = 0,
    unsigned int flags = 0) {
  return castor::best_block(minGridSize, blockSize, reinterpret_cast<const void*>(func), blockSizeToDynamicSMemSize,
                            blockSizeLimit, flags);
}
template <class UnaryFunction, class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T func,
                                                                               UnaryFunction blockSizeToDynamicSMemSize,
                                                                               int blockSizeLimit = 0) {
  return castor::best_block(minGridSize, blockSize, reinterpret_cast<const void*>(func), blockSizeToDynamicSMemSize,
                            blockSizeLimit, cudaOccupancyDefault);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T func,
                                                                            size_t dynamicSMemSize = 0,
                                                                            int blockSizeLimit = 0,
                                                                            unsigned int flags = 0) {
  return castor::best_block(
      minGridSize, blockSize, reinterpret_cast<const void*>(func), [=](int) { return dynamicSMemSize; }, blockSizeLimit,
      flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                                   size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit,
                                                     cudaOccupancyDefault);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func, int blockSize,
                                                                              size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, reinterpret_cast<const void*>(func), blockSize,
                                                         dynamicSMemSize);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func,
                                                                                       int blockSize,
                                                                                       size_t dynamicSMemSize,
                                                                                       unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, reinterpret_cast<const void*>(func),
                                                                  blockSize, dynamicSMemSize, flags);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T* func,
                                                                          int numBlocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, reinterpret_cast<const void*>(func), numBlocks,
                                                     blockSize);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* func,
                                                                     const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, reinterpret_cast<const void*>(func), config);
}
template <class T>
__inline__ __host__ cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, T* func,
                                                               const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, reinterpret_cast<const void*>(func), config);
}

#endif
