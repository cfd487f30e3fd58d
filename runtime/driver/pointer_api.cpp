// Chapter: unified addressing (what a pointer points to).
#include <cstring>

#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

template <class T>
CUresult answer(void* data, T value) {
  std::memcpy(data, &value, sizeof value);
  return CUDA_SUCCESS;
}

unsigned memory_type(const Allocation& allocation) {
  return allocation.kind == MemoryKind::pinned || allocation.kind == MemoryKind::registered ? CU_MEMORYTYPE_HOST
                                                                                            : CU_MEMORYTYPE_DEVICE;
}

CUresult attribute(Context& context, const Allocation& allocation, CUpointer_attribute which, CUdeviceptr address,
                   void* data) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return answer<CUcontext>(data, &context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return answer(data, memory_type(allocation));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return answer(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!allocation.host()) return CUDA_ERROR_INVALID_VALUE;
      return answer(data, reinterpret_cast<void*>(address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return answer(data, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return answer<unsigned long long>(data, allocation.id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return answer(data, allocation.kind == MemoryKind::managed ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return answer(data, 0);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: return answer(data, false);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return answer<CUdeviceptr>(data, allocation.va);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return answer<std::size_t>(data, allocation.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return answer(data, true);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return answer<std::uint64_t>(data, 0);
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return answer(data, false);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return answer(data, 3u);  // read and write
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return answer<CUmemoryPool>(data, nullptr);
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr address) {
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  const auto allocation = context->memory().find(address);
  return allocation ? attribute(*context, *allocation, which, address, data) : CUDA_ERROR_INVALID_VALUE;
}

/// A pointer that CUDA knows nothing of is no error here: its attributes are zero.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* which, void** data, CUdeviceptr address) {
  if (which == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  const auto allocation = context->memory().find(address);
  for (unsigned i = 0; i < count; ++i) {
    if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (allocation && attribute(*context, *allocation, which[i], address, data[i]) == CUDA_SUCCESS) continue;
    switch (which[i]) {
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: answer(data[i], -2); break;
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      case CU_POINTER_ATTRIBUTE_IS_MANAGED: answer(data[i], 0u); break;
      case CU_POINTER_ATTRIBUTE_MAPPED:
      case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: answer(data[i], false); break;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER: answer(data[i], allocation ? 0 : address); break;
      default: answer<std::uint64_t>(data[i], 0); break;
    }
  }
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute which, CUdeviceptr address) {
  if (value == nullptr || which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  return context->memory().find(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace castor::driver
