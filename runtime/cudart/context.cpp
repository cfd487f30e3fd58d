#include "runtime/cudart/context.h"

#include <atomic>
#include <mutex>

#include "runtime/cudart/call.h"
#include "runtime/cudart/thread_state.h"

namespace castor::cudart {
namespace {

struct Device {
  CUcontext context = nullptr;
  std::atomic<unsigned> generation = 1;
};

std::mutex mutex;
Device devices[kMaxDevices];
std::atomic<int> first_device = 0;

cudaError_t retain(Device& device, int ordinal) {
  const std::lock_guard lock(mutex);
  if (device.context) return cudaSuccess;
  CUdevice handle = 0;
  CUDART_TRY(cuDeviceGet(&handle, ordinal));
  CUDART_TRY(cuDevicePrimaryCtxRetain(&device.context, handle));
  return cudaSuccess;
}

}  // namespace

int current_device() {
  const int device = this_thread().device;
  return device < 0 ? first_device.load() : device;
}

void set_first_device(int device) { first_device = device; }

cudaError_t ensure_driver() {
  static const CUresult result = cuInit(0);
  return to_runtime(result);
}

cudaError_t device_count(int* count) {
  *count = 0;
  CUDART_CHECK(ensure_driver());
  CUDART_TRY(cuDeviceGetCount(count));
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t check_device(int device) {
  int count = 0;
  CUDART_CHECK(device_count(&count));
  return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

bool context_exists(int device) {
  const std::lock_guard lock(mutex);
  return devices[device].context != nullptr;
}

unsigned context_generation(int device) { return devices[device].generation; }

cudaError_t choose_device(int device) {
  CUDART_CHECK(check_device(device));
  ThreadState& thread = this_thread();
  if (thread.device != device) thread.bound = nullptr;
  thread.device = device;
  // Another context may be current, from the driver's interface: choosing a device goes back to the primary one.
  CUDART_TRY(cuCtxSetCurrent(nullptr));
  return ensure_context();
}

cudaError_t ensure_context() {
  CUDART_CHECK(ensure_driver());
  ThreadState& thread = this_thread();
  const int ordinal = current_device();
  Device& device = devices[ordinal];

  CUcontext current = nullptr;
  CUDART_TRY(cuCtxGetCurrent(&current));
  const bool ours = current && current == thread.bound;
  if (current && (!ours || thread.generation == device.generation)) return cudaSuccess;

  CUDART_CHECK(check_device(ordinal));
  CUDART_CHECK(retain(device, ordinal));
  CUDART_TRY(cuCtxSetCurrent(device.context));
  thread.bound = device.context;
  thread.generation = device.generation;
  return cudaSuccess;
}

cudaError_t reset_context() {
  CUDART_CHECK(ensure_driver());
  const int ordinal = current_device();
  CUDART_CHECK(check_device(ordinal));
  {
    const std::lock_guard lock(mutex);
    CUdevice handle = 0;
    CUDART_TRY(cuDeviceGet(&handle, ordinal));
    CUDART_TRY(cuCtxSetCurrent(nullptr));
    CUDART_TRY(cuDevicePrimaryCtxReset(handle));
    devices[ordinal].context = nullptr;
    ++devices[ordinal].generation;
  }
  this_thread().bound = nullptr;
  forget_sticky_error();
  return cudaSuccess;
}

}  // namespace castor::cudart
