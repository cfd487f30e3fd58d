// The exported symbols of what Castor lacks, made from the rows: each says so once and answers CUDA_ERROR_NOT_SUPPORTED. The
// parameters are of no concern here: on x86-64 and RISC-V a function may ignore what its caller passes.
#include "runtime/driver/gaps.h"

#include <atomic>

#include "runtime/driver/log.h"

namespace castor::driver {
namespace {

int missing(std::atomic<bool>& told, const char* name, const char* why) {
  if (!told.exchange(true)) log(LogLevel::warn, "{} is not supported: {}", name, why);
  return 801;  // CUDA_ERROR_NOT_SUPPORTED
}

}  // namespace
}  // namespace castor::driver

#define GAP(name, why)                                           \
  extern "C" __attribute__((visibility("default"))) int name() { \
    static std::atomic<bool> told{false};                        \
    return castor::driver::missing(told, #name, why);            \
  }
#include "runtime/include/castor/api/driver_gaps.inc"
#undef GAP

namespace castor::driver {

const void* find_gap(std::string_view name) {
  struct Row {
    std::string_view name;
    int (*function)();
  };
  static constexpr Row kRows[] = {
#define GAP(name, why) {#name, &::name},
#include "runtime/include/castor/api/driver_gaps.inc"
#undef GAP
  };
  for (const Row& row : kRows) {
    if (row.name == name) return reinterpret_cast<const void*>(row.function);
  }
  return nullptr;
}

}  // namespace castor::driver
