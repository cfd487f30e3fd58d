// Chapter "Device Management".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart::api {

cudaError_t cudaDeviceReset() { return reset_context(); }

cudaError_t cudaDeviceSynchronize() {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxSynchronize());
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxSetLimit(static_cast<CUlimit>(limit), value));
}

cudaError_t cudaDeviceGetLimit(size_t* pValue, cudaLimit limit) {
  if (!pValue) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxGetLimit(pValue, static_cast<CUlimit>(limit)));
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
  if (!pCacheConfig) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxGetCacheConfig(reinterpret_cast<CUfunc_cache*>(pCacheConfig)));
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxSetCacheConfig(static_cast<CUfunc_cache>(cacheConfig)));
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
  if (!pConfig) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxGetSharedMemConfig(reinterpret_cast<CUsharedconfig*>(pConfig)));
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(config)));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuCtxGetStreamPriorityRange(leastPriority, greatestPriority));
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  if (!device || !pciBusId) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_driver());
  return to_runtime(cuDeviceGetByPCIBusId(device, pciBusId));
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  CUDART_CHECK(check_device(device));
  return to_runtime(cuDeviceGetPCIBusId(pciBusId, len, device));
}

cudaError_t cudaGetDeviceCount(int* count) { return count ? device_count(count) : cudaErrorInvalidValue; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  if (!value) return cudaErrorInvalidValue;
  CUDART_CHECK(check_device(device));
  return to_runtime(cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(attr), device));
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  if (!device || !prop) return cudaErrorInvalidValue;
  CUDART_CHECK(check_device(0));
  *device = 0;  // the devices of a machine are alike
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  CUDART_CHECK(check_device(device));
  if (flags & ~cudaInitDeviceFlagsAreValid) return cudaErrorInvalidValue;
  if (flags & cudaInitDeviceFlagsAreValid) CUDART_TRY(cuDevicePrimaryCtxSetFlags(device, deviceFlags & cudaDeviceMask));
  const int previous = current_device();
  CUDART_CHECK(choose_device(device));
  return previous == device ? cudaSuccess : choose_device(previous);
}

cudaError_t cudaSetDevice(int device) { return choose_device(device); }

cudaError_t cudaGetDevice(int* device) {
  if (!device) return cudaErrorInvalidValue;
  CUDART_CHECK(check_device(current_device()));
  // A context made current through the driver's interface decides.
  CUcontext current = nullptr;
  CUDART_TRY(cuCtxGetCurrent(&current));
  if (current && current != this_thread().bound) return to_runtime(cuCtxGetDevice(device));
  *device = current_device();
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  if (len < 0 || (len > 0 && !device_arr)) return cudaErrorInvalidValue;
  for (int i = 0; i < len; ++i) CUDART_CHECK(check_device(device_arr[i]));
  set_first_device(len > 0 ? device_arr[0] : 0);
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (flags & ~static_cast<unsigned>(cudaDeviceMask)) return cudaErrorInvalidValue;
  const int device = current_device();
  CUDART_CHECK(check_device(device));
  return to_runtime(cuDevicePrimaryCtxSetFlags(device, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (!flags) return cudaErrorInvalidValue;
  const int device = current_device();
  CUDART_CHECK(check_device(device));
  int active = 0;
  return to_runtime(cuDevicePrimaryCtxGetState(device, flags, &active));
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // namespace castor::cudart::api
