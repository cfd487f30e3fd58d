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

}  // namespace
}  // namespace castor::cudart

#pragma GCC visibility push(default)
extern "C" {

cudaError_t cudaGetDeviceProperties_v2(void* prop, int device) {
  using namespace castor::cudart;
  return call("cudaGetDeviceProperties_v2", [&] { return properties_12(static_cast<Properties12*>(prop), device); });
}

cudaError_t cudaThreadSynchronize() {
  return castor::cudart::call("cudaThreadSynchronize", [] { return castor::cudart::api::cudaDeviceSynchronize(); });
}

cudaError_t cudaThreadExit() {
  return castor::cudart::call("cudaThreadExit", [] { return castor::cudart::api::cudaDeviceReset(); });
}
}
#pragma GCC visibility pop
