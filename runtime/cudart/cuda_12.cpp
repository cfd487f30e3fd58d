// Names that programs built with CUDA 12 ask for and CUDA 13 no longer has.
#include <cstring>

#include "runtime/cudart/call.h"

namespace castor::cudart {
namespace {

struct Properties12 {
#define FIELD(type, name, extent) type name extent;
#include "runtime/cudart/properties_12.inc"
#undef FIELD
  int reserved[63];
};
static_assert(sizeof(Properties12) == 1032, "the layout of CUDA 12's cudaDeviceProp");

cudaError_t properties_12(Properties12* out, int device) {
  if (!out) return cudaErrorInvalidValue;
  cudaDeviceProp p;
  CUDART_CHECK(api::cudaGetDeviceProperties(&p, device));
  std::memset(out, 0, sizeof *out);
#define FIELD(type, name, extent) std::memcpy(&out->name, &p.name, sizeof p.name);
#include "runtime/cudart/properties_12.inc"
#undef FIELD
  return cudaSuccess;
}

struct PointerAttributes12 {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

cudaError_t pointer_attributes_12(PointerAttributes12* out, const void* pointer) {
  if (!out) return cudaErrorInvalidValue;
  cudaPointerAttributes attributes;
  CUDART_CHECK(api::cudaPointerGetAttributes(&attributes, pointer));
  *out = {attributes.type, attributes.device, attributes.devicePointer, attributes.hostPointer};
  return cudaSuccess;
}

/// CUDA 12 names a place by the number of its device, and the host by -1.
cudaMemLocation location_12(int device) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

}  // namespace
}  // namespace castor::cudart

using namespace castor::cudart;

#pragma GCC visibility push(default)
extern "C" {

cudaError_t cudaGetDeviceProperties_v2(void* prop, int device) {
  return call("cudaGetDeviceProperties_v2", [&] { return properties_12(static_cast<Properties12*>(prop), device); });
}

cudaError_t cudaThreadSynchronize() {
  return call("cudaThreadSynchronize", [] { return api::cudaDeviceSynchronize(); });
}

cudaError_t cudaThreadExit() {
  return call("cudaThreadExit", [] { return api::cudaDeviceReset(); });
}

// The functions below are known by CUDA 13's names and CUDA 12's version alone.
cudaError_t castor_cudaPointerGetAttributes_12(void* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes",
              [&] { return pointer_attributes_12(static_cast<PointerAttributes12*>(attributes), pointer); });
}

cudaError_t castor_cudaMemAdvise_12(const void* pointer, size_t count, cudaMemoryAdvise advice, int device) {
  return call("cudaMemAdvise", [&] { return api::cudaMemAdvise(pointer, count, advice, location_12(device)); });
}

cudaError_t castor_cudaMemPrefetchAsync_12(const void* pointer, size_t count, int device, cudaStream_t stream) {
  return call("cudaMemPrefetchAsync",
              [&] { return api::cudaMemPrefetchAsync(pointer, count, location_12(device), 0, stream); });
}
}
#pragma GCC visibility pop

__asm__(".symver cudaGetDeviceProperties_v2,cudaGetDeviceProperties_v2@libcudart.so.12");
__asm__(".symver cudaThreadSynchronize,cudaThreadSynchronize@libcudart.so.12");
__asm__(".symver cudaThreadExit,cudaThreadExit@libcudart.so.12");
__asm__(".symver castor_cudaPointerGetAttributes_12,cudaPointerGetAttributes@libcudart.so.12");
__asm__(".symver castor_cudaMemAdvise_12,cudaMemAdvise@libcudart.so.12");
__asm__(".symver castor_cudaMemPrefetchAsync_12,cudaMemPrefetchAsync@libcudart.so.12");
