// Chapter "Occupancy".
#include "runtime/cudart/call.h"
#include "runtime/cudart/registry.h"

namespace castor::cudart::api {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func, int blockSize,
                                                                   size_t dynamicSMemSize, unsigned int flags) {
  if (!numBlocks || blockSize < 1) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(
      cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize, dynamicSMemSize, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func, int numBlocks,
                                                      int blockSize) {
  if (!dynamicSmemSize || numBlocks < 1 || blockSize < 1) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, function, numBlocks, blockSize));
}

}  // namespace castor::cudart::api
