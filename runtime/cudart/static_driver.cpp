// Part of libcudart_static.a alone: the driver's names, each of which loads libcuda.so.1 when it is first called, so that a
// program linked with -lcudart_static needs no -lcuda. What NVIDIA's static runtime does too.
#define CASTOR_DRIVER_ABI_NAMES
#include <dlfcn.h>

#include "runtime/include/cuda.h"

namespace {

/// cudaErrorInsufficientDriver, which the driver itself has no name for.
constexpr auto kNoDriver = static_cast<CUresult>(35);

void* find(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, name) : nullptr;
}

}  // namespace

extern "C" {
#define API(name, parameters, arguments)                                                    \
  CUresult name parameters {                                                                \
    static const auto castor_entry = reinterpret_cast<CUresult(*) parameters>(find(#name)); \
    return castor_entry ? castor_entry arguments : kNoDriver;                               \
  }
#define API_BARE(name, parameters, arguments) API(name, parameters, arguments)
#define API_AS(name, implementation, parameters, arguments) API(name, parameters, arguments)
#define API_PER_THREAD(name, implementation, parameters, arguments)
#include "castor/api/driver.inc"
}
