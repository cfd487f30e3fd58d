#include "runtime/cudart/call.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

#include "runtime/cudart/context.h"

namespace castor::cudart {
namespace {

/// Errors after which the context answers nothing else (CUDA manual, "Error Handling"; the driver keeps them too).
constexpr bool ends_context(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorTensorMemoryLeak: return true;
    default: return false;
  }
}

std::atomic<int>& sticky_of_device(int device) {
  static std::atomic<int> errors[kMaxDevices];
  return errors[device];
}

bool tracing() {
  static const bool on = [] {
    const char* value = std::getenv("CASTOR_TRACE_API");
    return value && *value && std::string(value) != "0";
  }();
  return on;
}

}  // namespace

ThreadState& this_thread() {
  thread_local ThreadState state;
  return state;
}

cudaError_t finish(const char* name, cudaError_t error) {
  if (error != cudaSuccess) this_thread().last_error = error;
  if (ends_context(error)) {
    int alive = cudaSuccess;
    sticky_of_device(current_device()).compare_exchange_strong(alive, error);
  }
  if (tracing()) std::fprintf(stderr, "castor: %s -> %s\n", name, api::cudaGetErrorName(error));
  return error;
}

cudaError_t sticky_error() { return static_cast<cudaError_t>(sticky_of_device(current_device()).load()); }
void forget_sticky_error() { sticky_of_device(current_device()) = cudaSuccess; }

cudaError_t not_supported(const char* name, const char* what) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (told.insert(name).second) std::fprintf(stderr, "castor: %s is not supported: no %s yet\n", name, what);
  return cudaErrorNotSupported;
}

}  // namespace castor::cudart
