// Chapter: driver entry point access.
#include <charconv>
#include <string>
#include <unordered_map>

#include "runtime/driver/gaps.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

const void* find_function(const std::string& name) {
  static const auto* const table = [] {
    auto* rows = new std::unordered_map<std::string_view, const void*>;
#define API(name, parameters, arguments) rows->emplace(#name, reinterpret_cast<const void*>(&::name));
#define API_BARE(name, parameters, arguments) rows->emplace(#name, reinterpret_cast<const void*>(&::name));
#define API_AS(name, implementation, parameters, arguments) \
  rows->emplace(#name, reinterpret_cast<const void*>(&::name));
#define API_PER_THREAD(name, implementation, parameters, arguments) \
  rows->emplace(#name, reinterpret_cast<const void*>(&::name));
#include "runtime/include/castor/api/driver.inc"
    return rows;
  }();
  const auto found = table->find(name);
  return found != table->end() ? found->second : find_gap(name);
}

/// Versions of a name that a caller of that CUDA version must not be given, because the parameters changed with it.
struct NewerVersion {
  std::string_view name;
  int since;
};
constexpr NewerVersion kNewer[] = {
#define NEWER(name, since) {#name, since},
#include "runtime/driver/newer_versions.inc"
#undef NEWER
};

bool too_new(const std::string& name, int version) {
  for (const NewerVersion& row : kNewer) {
    if (row.name == name) return version < row.since;
  }
  return false;
}

/// The newest version of a name that the caller's CUDA version knows; with per-thread default streams, its variant for them.
const void* newest(const std::string& symbol, int version, bool per_thread) {
  for (int number = 4; number >= 1; --number) {
    const std::string name = number == 1 ? symbol : symbol + "_v" + std::to_string(number);
    if (number > 1 && too_new(name, version)) continue;
    for (const char* suffix : {"_ptsz", "_ptds"}) {
      const void* variant = per_thread ? find_function(name + suffix) : nullptr;
      if (variant != nullptr) return variant;
    }
    if (const void* plain = find_function(name)) return plain;
  }
  return nullptr;
}

}  // namespace

CUresult cuGetProcAddress_v2(const char* symbol, void** out, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* found) {
  constexpr cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (symbol == nullptr || out == nullptr || version <= 0 || (flags & ~known) != 0 || flags == known) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const void* function = newest(symbol, version, per_thread);
  *out = const_cast<void*>(function);
  if (found != nullptr)
    *found = function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (function != nullptr || found != nullptr) return CUDA_SUCCESS;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char* symbol, void** out, int version, cuuint64_t flags) {
  return driver::cuGetProcAddress_v2(symbol, out, version, flags, nullptr);
}

}  // namespace castor::driver
