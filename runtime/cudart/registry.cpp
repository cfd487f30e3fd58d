#include "runtime/cudart/registry.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart {

struct FatBinary {
  const void* wrapper;
  struct Loaded {
    CUmodule module = nullptr;
    unsigned generation = 0;  // of the context that holds it
  };
  std::array<Loaded, kMaxDevices> loaded{};
};

namespace {

struct Function {
  FatBinary* binary;
  std::string name;
  struct Resolved {
    CUfunction function = nullptr;
    unsigned generation = 0;
  };
  std::array<Resolved, kMaxDevices> resolved{};
};

struct HostVariable {
  FatBinary* binary;
  std::string name;
  size_t bytes;
};

struct Registry {
  std::mutex mutex;
  std::unordered_map<FatBinary*, std::unique_ptr<FatBinary>> binaries;
  std::unordered_map<const void*, Function> functions;
  std::unordered_map<const void*, HostVariable> variables;
  std::unordered_set<const void*> kernels;
};

/// Never destroyed: programs unregister from destructors that may run after ours.
Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

/// The module of a fat binary in the current context. The registry is locked.
cudaError_t load(FatBinary& binary, int device, CUmodule* module) {
  FatBinary::Loaded& loaded = binary.loaded[device];
  const unsigned generation = context_generation(device);
  if (loaded.generation != generation) {
    CUDART_TRY(cuModuleLoadFatBinary(&loaded.module, binary.wrapper));
    loaded.generation = generation;
  }
  *module = loaded.module;
  return cudaSuccess;
}

cudaError_t context_device(int* device) {
  CUDART_CHECK(ensure_context());
  CUDART_TRY(cuCtxGetDevice(device));
  return cudaSuccess;
}

}  // namespace

FatBinary* register_fat_binary(const void* wrapper) {
  auto owned = std::make_unique<FatBinary>();
  owned->wrapper = wrapper;
  FatBinary* const binary = owned.get();
  const std::lock_guard lock(registry().mutex);
  registry().binaries.emplace(binary, std::move(owned));
  return binary;
}

// A program's end unregisters too, when the driver may be gone already: the context's end frees the module.
void unregister_fat_binary(FatBinary* binary) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.functions, [&](const auto& entry) { return entry.second.binary == binary; });
  std::erase_if(all.variables, [&](const auto& entry) { return entry.second.binary == binary; });
  all.binaries.erase(binary);
}

void register_function(FatBinary* binary, const void* host, const char* device_name) {
  const std::lock_guard lock(registry().mutex);
  registry().functions.insert_or_assign(host, Function{binary, device_name, {}});
}

void register_variable(FatBinary* binary, const void* host, const char* device_name, size_t bytes) {
  const std::lock_guard lock(registry().mutex);
  registry().variables.insert_or_assign(host, HostVariable{binary, device_name, bytes});
}

void remember_kernel(CUkernel kernel) {
  const std::lock_guard lock(registry().mutex);
  registry().kernels.insert(kernel);
}

const char* function_name(const void* host) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().functions.find(host);
  return found == registry().functions.end() ? nullptr : found->second.name.c_str();
}

cudaError_t find_function(CUfunction* function, const void* host) {
  int device = 0;
  CUDART_CHECK(context_device(&device));
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.functions.find(host);
  if (found == all.functions.end()) {
    if (!all.kernels.contains(host)) return cudaErrorInvalidDeviceFunction;
    return to_runtime(cuKernelGetFunction(function, static_cast<CUkernel>(const_cast<void*>(host))));
  }
  Function::Resolved& resolved = found->second.resolved[device];
  const unsigned generation = context_generation(device);
  if (resolved.generation != generation) {
    CUmodule module = nullptr;
    CUDART_CHECK(load(*found->second.binary, device, &module));
    const CUresult result = cuModuleGetFunction(&resolved.function, module, found->second.name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
    CUDART_TRY(result);
    resolved.generation = generation;
  }
  *function = resolved.function;
  return cudaSuccess;
}

cudaError_t find_variable(Variable* variable, const void* host) {
  int device = 0;
  CUDART_CHECK(context_device(&device));
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.variables.find(host);
  if (found == all.variables.end()) return cudaErrorInvalidSymbol;
  CUmodule module = nullptr;
  CUDART_CHECK(load(*found->second.binary, device, &module));
  const CUresult result = cuModuleGetGlobal(&variable->address, &variable->bytes, module, found->second.name.c_str());
  if (result == CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidSymbol;
  CUDART_TRY(result);
  // The declared size: the linker may have padded the symbol.
  if (found->second.bytes) variable->bytes = found->second.bytes;
  return cudaSuccess;
}

}  // namespace castor::cudart
