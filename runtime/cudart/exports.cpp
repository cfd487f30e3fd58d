// Every public name of the library, from the rows.
#pragma GCC visibility push(default)
#include "runtime/include/cuda_runtime_api.h"
#pragma GCC visibility pop

#include "runtime/cudart/call.h"

using castor::cudart::call;
using castor::cudart::call_per_thread;
using castor::cudart::not_supported;
namespace api = castor::cudart::api;

#pragma GCC visibility push(default)
extern "C" {

// Programs built with CUDA 12 ask for the same names with that version.
#define ALSO_12(name) __asm__(".symver " #name "," #name "@libcudart.so.12");

#define __dv(value)
#define API_13(name, params, args)                      \
  cudaError_t name params {                             \
    return call(#name, [&] { return api::name args; }); \
  }
#define VARIANT(name, variant, params, args)                          \
  cudaError_t variant params {                                        \
    return call_per_thread(#variant, [&] { return api::name args; }); \
  }
#define API(name, params, args) \
  API_13(name, params, args)    \
  ALSO_12(name)
#define API_RETURNS(type, name, params, args) \
  type name params { return api::name args; } \
  ALSO_12(name)
#define GAP(name, params, why)                                    \
  cudaError_t name params {                                       \
    return call(#name, [] { return not_supported(#name, why); }); \
  }                                                               \
  ALSO_12(name)
#define API_13_PTSZ(name, params, args) API_13(name, params, args) VARIANT(name, name##_ptsz, params, args)
#define API_PTSZ(name, params, args) API_13_PTSZ(name, params, args) ALSO_12(name) ALSO_12(name##_ptsz)
#define API_PTDS(name, params, args) \
  API(name, params, args)            \
  VARIANT(name, name##_ptds, params, args) ALSO_12(name##_ptds)
#define GAP_PTSZ(name, params, why) \
  GAP(name, params, why)            \
  GAP(name##_ptsz, params, why)
#define GAP_PTDS(name, params, why) \
  GAP(name, params, why)            \
  GAP(name##_ptds, params, why)
#include "castor/api/interop.inc"
#include "castor/api/runtime.inc"
}
#pragma GCC visibility pop
