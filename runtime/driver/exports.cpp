// The exported symbols of what Castor has, made from the rows: trace, check for cuInit, default stream, then the work.
#include <type_traits>

#include "runtime/driver/log.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

template <class Body>
CUresult traced(const char* name, Body body) {
  const CUresult result = body();
  if (logs(LogLevel::trace)) log(LogLevel::trace, "{} = {}", name, static_cast<int>(result));
  return result;
}

template <class Body>
CUresult checked(const char* name, Body body) {
  return traced(name, [&] {
    const CUresult ready = Process::get().check();
    return ready == CUDA_SUCCESS ? body() : ready;
  });
}

}  // namespace
}  // namespace castor::driver

#define EXPORTED extern "C" __attribute__((visibility("default"))) CUresult
#define API(name, parameters, arguments)                                                   \
  EXPORTED name parameters {                                                               \
    return castor::driver::checked(#name, [&] { return castor::driver::name arguments; }); \
  }
#define API_BARE(name, parameters, arguments)                                             \
  EXPORTED name parameters {                                                              \
    return castor::driver::traced(#name, [&] { return castor::driver::name arguments; }); \
  }
#define API_AS(name, implementation, parameters, arguments)                                          \
  EXPORTED name parameters {                                                                         \
    return castor::driver::checked(#name, [&] { return castor::driver::implementation arguments; }); \
  }
#define API_PER_THREAD(name, implementation, parameters, arguments) \
  EXPORTED name parameters {                                        \
    return castor::driver::checked(#name, [&] {                     \
      const castor::driver::PerThreadDefault scope;                 \
      return castor::driver::implementation arguments;              \
    });                                                             \
  }
#include "runtime/include/castor/api/driver.inc"
