// Chapter "Execution Control".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"
#include "runtime/cudart/registry.h"

namespace castor::cudart::api {
namespace {

struct Limits {
  int block[3] = {}, threads = 0, grid[3] = {};
};

cudaError_t read_limits(Limits* limits) {
  CUdevice device = 0;
  CUDART_TRY(cuCtxGetDevice(&device));
  const struct {
    int* where;
    CUdevice_attribute attribute;
  } wanted[] = {
      {&limits->block[0], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
      {&limits->block[1], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
      {&limits->block[2], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
      {&limits->grid[0], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {&limits->grid[1], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
      {&limits->grid[2], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
      {&limits->threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
  };
  for (const auto& one : wanted) CUDART_TRY(cuDeviceGetAttribute(one.where, one.attribute, device));
  return cudaSuccess;
}

bool within(dim3 size, const int (&limit)[3]) {
  const auto fits = [](unsigned value, int most) { return value >= 1 && value <= static_cast<unsigned>(most); };
  return fits(size.x, limit[0]) && fits(size.y, limit[1]) && fits(size.z, limit[2]);
}

/// The driver calls a bad shape an invalid value; the runtime has an error of its own for it.
cudaError_t check_shape(dim3 grid, dim3 block) {
  Limits limits;
  CUDART_CHECK(read_limits(&limits));
  const bool good = within(grid, limits.grid) && within(block, limits.block) &&
                    1ull * block.x * block.y * block.z <= static_cast<unsigned>(limits.threads);
  return good ? cudaSuccess : cudaErrorInvalidConfiguration;
}

cudaError_t prepare(CUfunction* function, const void* func, dim3 grid, dim3 block) {
  CUDART_CHECK(find_function(function, func));
  return check_shape(grid, block);
}

int attribute_of(CUfunction function, CUfunction_attribute attribute, CUresult* result) {
  int value = 0;
  if (*result == CUDA_SUCCESS) *result = cuFuncGetAttribute(&value, attribute, function);
  return value;
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             cudaStream_t stream) {
  CUfunction function = nullptr;
  CUDART_CHECK(prepare(&function, func, gridDim, blockDim));
  if (sharedMem > UINT32_MAX) return cudaErrorInvalidValue;
  return to_runtime(cuLaunchKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z,
                                   static_cast<unsigned>(sharedMem), driver_stream(stream), args, nullptr));
}

cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                                        cudaStream_t stream) {
  CUfunction function = nullptr;
  CUDART_CHECK(prepare(&function, func, gridDim, blockDim));
  if (sharedMem > UINT32_MAX) return cudaErrorInvalidValue;
  return to_runtime(cuLaunchCooperativeKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y,
                                              blockDim.z, static_cast<unsigned>(sharedMem), driver_stream(stream),
                                              args));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  if (!config) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(prepare(&function, func, config->gridDim, config->blockDim));
  if (config->dynamicSmemBytes > UINT32_MAX) return cudaErrorInvalidValue;
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "attributes pass through as they are");
  CUlaunchConfig launch{};
  launch.gridDimX = config->gridDim.x;
  launch.gridDimY = config->gridDim.y;
  launch.gridDimZ = config->gridDim.z;
  launch.blockDimX = config->blockDim.x;
  launch.blockDimY = config->blockDim.y;
  launch.blockDimZ = config->blockDim.z;
  launch.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
  launch.hStream = driver_stream(config->stream);
  launch.attrs = reinterpret_cast<CUlaunchAttribute*>(config->attrs);
  launch.numAttrs = config->numAttrs;
  return to_runtime(cuLaunchKernelEx(&launch, function, args, nullptr));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
  if (!fn) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuLaunchHostFunc(driver_stream(stream), fn, userData));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, const void* func) {
  if (!attr) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  *attr = {};
  CUresult result = CUDA_SUCCESS;
  const auto get = [&](CUfunction_attribute attribute) { return attribute_of(function, attribute, &result); };
  attr->sharedSizeBytes = static_cast<size_t>(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  attr->constSizeBytes = static_cast<size_t>(get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
  attr->localSizeBytes = static_cast<size_t>(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  attr->maxThreadsPerBlock = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  attr->numRegs = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  attr->ptxVersion = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  attr->binaryVersion = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  attr->cacheModeCA = get(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  attr->maxDynamicSharedSizeBytes = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  attr->preferredShmemCarveout = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  attr->clusterDimMustBeSet = get(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
  attr->requiredClusterWidth = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  attr->requiredClusterHeight = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
  attr->requiredClusterDepth = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  attr->clusterSchedulingPolicyPreference = get(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  attr->nonPortableClusterSizeAllowed = get(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  return to_runtime(result);
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attr, int value) {
  if (attr < cudaFuncAttributeMaxDynamicSharedMemorySize || attr >= cudaFuncAttributeMax) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(cuFuncSetAttribute(function, static_cast<CUfunction_attribute>(attr), value));
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache cacheConfig) {
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(cuFuncSetCacheConfig(function, static_cast<CUfunc_cache>(cacheConfig)));
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig config) {
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(cuFuncSetSharedMemConfig(function, static_cast<CUsharedconfig>(config)));
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
  if (!name) return cudaErrorInvalidValue;
  *name = function_name(func);
  return *name ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaFuncGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  if (!paramOffset) return cudaErrorInvalidValue;
  CUfunction function = nullptr;
  CUDART_CHECK(find_function(&function, func));
  return to_runtime(cuFuncGetParamInfo(function, paramIndex, paramOffset, paramSize));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
  if (!functionPtr) return cudaErrorInvalidValue;
  return find_function(functionPtr, symbolPtr);
}

}  // namespace castor::cudart::api
