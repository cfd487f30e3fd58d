// Chapters: primary context management, context management.
#include <algorithm>

#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

bool flags_valid(unsigned flags) {
  const unsigned schedule = flags & CU_CTX_SCHED_MASK;
  return (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) == 0 &&
         (schedule == CU_CTX_SCHED_AUTO || schedule == CU_CTX_SCHED_SPIN || schedule == CU_CTX_SCHED_YIELD ||
          schedule == CU_CTX_SCHED_BLOCKING_SYNC);
}

std::size_t* limit_of(Limits& limits, CUlimit which) {
  switch (which) {
    case CU_LIMIT_STACK_SIZE: return &limits.stack;
    case CU_LIMIT_PRINTF_FIFO_SIZE: return &limits.printf_fifo;
    case CU_LIMIT_MALLOC_HEAP_SIZE: return &limits.malloc_heap;
    default: return nullptr;
  }
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  Context* context = nullptr;
  const CUresult result = Process::get().retain_primary(context);
  if (result == CUDA_SUCCESS) *out = context;
  return result;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return device != 0 ? CUDA_ERROR_INVALID_DEVICE : Process::get().release_primary();
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return device != 0 ? CUDA_ERROR_INVALID_DEVICE : Process::get().reset_primary();
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return flags_valid(flags) ? Process::get().set_primary_flags(flags) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  bool is_active = false;
  Process::get().primary_state(*flags, is_active);
  *active = is_active ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* out, unsigned int flags, CUdevice device) {
  if (out == nullptr || !flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  Context* context = nullptr;
  if (const CUresult result = Process::get().create(flags, context); result != CUDA_SUCCESS) return result;
  context_stack().push_back(context);
  *out = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext* out, CUctxCreateParams* params, unsigned int flags, CUdevice device) {
  return params != nullptr ? CUDA_ERROR_NOT_SUPPORTED : driver::cuCtxCreate_v2(out, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext handle) {
  Context* context = context_of(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return Process::get().destroy(context);
}

CUresult cuCtxAttach(CUcontext* out, unsigned int flags) {
  if (out == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  const CUresult result = use_current(context);
  if (result == CUDA_SUCCESS) *out = context;
  return result;
}

CUresult cuCtxDetach(CUcontext handle) {
  return context_of(handle) == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  Context* context = context_of(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext* out) {
  auto& stack = context_stack();
  if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (out != nullptr) *out = stack.back();
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  auto& stack = context_stack();
  if (handle == nullptr) {
    if (!stack.empty()) stack.pop_back();
    return CUDA_SUCCESS;
  }
  Context* context = context_of(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (stack.empty()) stack.push_back(nullptr);
  stack.back() = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = current_context();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (handle == nullptr) return driver::cuCtxGetDevice(device);
  if (context_of(handle) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Context* context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *flags = context->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags) {
  if (!flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
  Context* context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Context* context = handle == nullptr ? current_context() : context_of(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *id = context->number;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  return context->synchronize();
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  if (handle == nullptr) return driver::cuCtxSynchronize();
  Context* context = context_of(handle);
  return context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : context->synchronize();
}

CUresult cuCtxSetLimit(CUlimit which, std::size_t value) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  std::size_t* limit = limit_of(context->limits, which);
  if (limit == nullptr) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  if (which == CU_LIMIT_STACK_SIZE && value > context->device().local_bytes) return CUDA_ERROR_INVALID_VALUE;
  *limit = which == CU_LIMIT_STACK_SIZE ? (value + 15) & ~std::size_t{15} : value;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(std::size_t* value, CUlimit which) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  const std::size_t* limit = limit_of(context->limits, which);
  if (limit == nullptr) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = *limit;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  *config = context->cache_config;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  context->cache_config = config;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return current_context() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  return current_context() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (handle != nullptr && context_of(handle) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *version = 3020;  // what every release since 3.2 answers
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache() {
  return current_context() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

}  // namespace castor::driver
