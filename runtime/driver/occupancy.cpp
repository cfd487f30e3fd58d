// Chapter: occupancy.
#include <algorithm>

#include "runtime/driver/execution.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

CUresult find(CUfunction handle, Context*& context, Function*& function) {
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  function = function_of(handle, *context);
  return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle, int threads,
                                                              std::size_t shared, unsigned int flags) {
  if (blocks == nullptr || threads <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Function* function = nullptr;
  if (const CUresult result = find(handle, context, function); result != CUDA_SUCCESS) return result;
  *blocks = static_cast<int>(resident_blocks(context->device(), *function, static_cast<unsigned>(threads), shared));
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int threads, std::size_t shared) {
  return driver::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, threads, shared, 0);
}

/// The block size that keeps most threads resident; of equal ones the largest.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction handle,
                                                   CUoccupancyB2DSize shared_of, std::size_t shared, int limit,
                                                   unsigned int flags) {
  if (grid == nullptr || block == nullptr || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Function* function = nullptr;
  if (const CUresult result = find(handle, context, function); result != CUDA_SUCCESS) return result;
  unsigned most = function->facts.max_threads == 0 ? 1024 : std::min(function->facts.max_threads, 1024u);
  if (limit > 0) most = std::min(most, static_cast<unsigned>(limit));
  unsigned best = 0, best_threads = 0, best_blocks = 0;
  for (unsigned threads = (most + 31) / 32 * 32; threads >= 32; threads -= 32) {
    const unsigned tried = std::min(threads, most);
    const std::size_t dynamic = shared_of != nullptr ? shared_of(static_cast<int>(tried)) : shared;
    const unsigned blocks = resident_blocks(context->device(), *function, tried, dynamic);
    if (blocks * tried <= best) continue;
    best = blocks * tried;
    best_threads = tried;
    best_blocks = blocks;
  }
  if (best == 0) return CUDA_ERROR_INVALID_VALUE;
  *block = static_cast<int>(best_threads);
  *grid = static_cast<int>(best_blocks * context->device().sms);
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction handle, CUoccupancyB2DSize shared_of,
                                          std::size_t shared, int limit) {
  return driver::cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, handle, shared_of, shared, limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction handle, int blocks, int threads) {
  if (bytes == nullptr || blocks <= 0 || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Function* function = nullptr;
  if (const CUresult result = find(handle, context, function); result != CUDA_SUCCESS) return result;
  const auto& device = context->device();
  if (resident_blocks(device, *function, static_cast<unsigned>(threads), 0) < static_cast<unsigned>(blocks)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::size_t each =
      std::min<std::size_t>(device.shared_per_sm / static_cast<unsigned>(blocks) / 1024 * 1024, device.shared_per_cta);
  *bytes = each - std::min<std::size_t>(each, function->facts.shared_static);
  return CUDA_SUCCESS;
}

}  // namespace castor::driver
