// Chapters "Version Management" and "Driver Entry Point Access".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart::api {

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return driverVersion ? to_runtime(cuDriverGetVersion(driverVersion)) : cudaErrorInvalidValue;
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  if (!runtimeVersion) return cudaErrorInvalidValue;
  *runtimeVersion = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* driverStatus) {
  if (!symbol || !funcPtr) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_driver());
  // A per-thread entry of ours asks for per-thread entries of the driver.
  if (flags == cudaEnableDefault && this_thread().default_stream) flags = cudaEnablePerThreadDefaultStream;
  CUdriverProcAddressQueryResult status{};
  const CUresult result = cuGetProcAddress_v2(symbol, funcPtr, static_cast<int>(cudaVersion), flags, &status);
  if (driverStatus) *driverStatus = static_cast<cudaDriverEntryPointQueryResult>(status);
  // A name that is not there is an answer, not an error, if the caller looks at the status.
  return result == CUDA_ERROR_NOT_FOUND && driverStatus ? cudaSuccess : to_runtime(result);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* driverStatus) {
  return api::cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

}  // namespace castor::cudart::api
