// Chapters "Memory Management" (allocation) and "Unified Addressing".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"
#include "runtime/cudart/copy.h"

namespace castor::cudart::api {
namespace {

/// A pitch suits accesses of this many bytes; the driver takes 4, 8 or 16.
constexpr unsigned kPitchElementBytes = 16;

CUmemLocation driver_location(cudaMemLocation location) {
  CUmemLocation result{};
  result.type = static_cast<CUmemLocationType>(location.type);
  result.id = location.id;
  return result;
}

cudaMemoryType memory_type(unsigned driver_type, bool managed) {
  if (managed) return cudaMemoryTypeManaged;
  if (driver_type == CU_MEMORYTYPE_HOST) return cudaMemoryTypeHost;
  return driver_type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
}

}  // namespace

cudaError_t cudaMalloc(void** devPtr, size_t size) {
  if (!devPtr) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr pointer = 0;
  if (size > 0) CUDART_TRY(cuMemAlloc(&pointer, size));
  *devPtr = host_view(pointer);
  return cudaSuccess;
}

cudaError_t cudaFree(void* devPtr) {
  CUDART_CHECK(ensure_context());  // cudaFree(0) is the customary way to create the context
  return devPtr ? to_runtime(cuMemFree(device_view(devPtr))) : cudaSuccess;
}

cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  constexpr unsigned kFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (!pHost || (flags & ~kFlags)) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  *pHost = nullptr;
  return size > 0 ? to_runtime(cuMemHostAlloc(pHost, size, flags)) : cudaSuccess;
}

cudaError_t cudaMallocHost(void** ptr, size_t size) { return api::cudaHostAlloc(ptr, size, cudaHostAllocDefault); }

cudaError_t cudaFreeHost(void* ptr) {
  CUDART_CHECK(ensure_context());
  return ptr ? to_runtime(cuMemFreeHost(ptr)) : cudaSuccess;
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  if (!ptr || size == 0) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuMemHostRegister(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void* ptr) {
  if (!ptr) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuMemHostUnregister(ptr));
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  if (!pDevice || !pHost || flags != 0) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr pointer = 0;
  CUDART_TRY(cuMemHostGetDevicePointer(&pointer, pHost, flags));
  *pDevice = host_view(pointer);
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  if (!pFlags || !pHost) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuMemHostGetFlags(pFlags, pHost));
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  if (!devPtr || size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr pointer = 0;
  CUDART_TRY(cuMemAllocManaged(&pointer, size, flags));
  *devPtr = host_view(pointer);
  return cudaSuccess;
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  if (!devPtr || !pitch) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr pointer = 0;
  *pitch = 0;
  if (width > 0 && height > 0) CUDART_TRY(cuMemAllocPitch(&pointer, pitch, width, height, kPitchElementBytes));
  *devPtr = host_view(pointer);
  return cudaSuccess;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  if (!pitchedDevPtr) return cudaErrorInvalidValue;
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
  CUDART_CHECK(api::cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rows));
  pitchedDevPtr->xsize = extent.width;
  pitchedDevPtr->ysize = extent.height;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  size_t free_bytes = 0, total_bytes = 0;
  CUDART_CHECK(ensure_context());
  CUDART_TRY(cuMemGetInfo(&free_bytes, &total_bytes));
  if (free) *free = free_bytes;
  if (total) *total = total_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  CUDART_CHECK(ensure_context());
  return to_runtime(
      cuMemAdvise(device_view(devPtr), count, static_cast<CUmem_advise>(advice), driver_location(location)));
}

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream) {
  CUDART_CHECK(ensure_context());
  return to_runtime(
      cuMemPrefetchAsync(device_view(devPtr), count, driver_location(location), flags, driver_stream(stream)));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  if (!attributes) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  unsigned type = 0, managed = 0;
  int device = cudaInvalidDeviceId;
  CUdeviceptr device_pointer = 0;
  void* host_pointer = nullptr;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                  CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void* answers[] = {&type, &managed, &device, &device_pointer, &host_pointer};
  CUDART_TRY(cuPointerGetAttributes(5, wanted, answers, device_view(ptr)));
  *attributes = {};
  attributes->type = memory_type(type, managed != 0);
  if (attributes->type == cudaMemoryTypeUnregistered) {
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = const_cast<void*>(ptr);
    return cudaSuccess;
  }
  attributes->device = device;
  attributes->devicePointer = host_view(device_pointer);
  attributes->hostPointer = host_pointer;
  return cudaSuccess;
}

// Chapter "Stream Ordered Memory Allocator".

cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t hStream) {
  if (!devPtr) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  CUdeviceptr pointer = 0;
  if (size > 0) CUDART_TRY(cuMemAllocAsync(&pointer, size, driver_stream(hStream)));
  *devPtr = host_view(pointer);
  return cudaSuccess;
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream) {
  CUDART_CHECK(ensure_context());
  return devPtr ? to_runtime(cuMemFreeAsync(device_view(devPtr), driver_stream(hStream))) : cudaSuccess;
}

}  // namespace castor::cudart::api
