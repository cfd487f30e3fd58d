// What compiled host code calls behind the programmer's back. The names and parameters are the ABI between nvcc or clang
// and the runtime; nothing of it is documented, all of it is visible in the host code that clang emits.
#include "runtime/cudart/call.h"
#include "runtime/cudart/registry.h"

using castor::cudart::call;
using castor::cudart::call_per_thread;
using castor::cudart::CallConfiguration;
using castor::cudart::FatBinary;
using castor::cudart::this_thread;
namespace api = castor::cudart::api;

namespace {

/// The handle that host code passes around is opaque to it.
FatBinary* binary_of(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(castor::cudart::register_fat_binary(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) { castor::cudart::unregister_fat_binary(binary_of(handle)); }
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* device_name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
  castor::cudart::register_function(binary_of(handle), host, device_name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* device_name, int, size_t bytes, int, int) {
  castor::cudart::register_variable(binary_of(handle), host, device_name, bytes);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* device_name, int, size_t bytes, int, int) {
  castor::cudart::register_variable(binary_of(handle), host, device_name, bytes);
}

// Texture and surface references left the language with CUDA 12; host variables and unified tables name host memory that
// the device does not look up by name.
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}
void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}
void __cudaRegisterUnifiedTable(void**, void*) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  this_thread().configurations.push_back(CallConfiguration{grid, block, shared_bytes, stream});
  return 0;
}

// Ours alone: what CUDA sources compiled for per-thread default streams push (cuda_runtime.h).
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  return __cudaPushCallConfiguration(grid, block, shared_bytes, stream ? stream : cudaStreamPerThread);
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& configurations = this_thread().configurations;
  if (configurations.empty()) return call(__func__, [] { return cudaErrorMissingConfiguration; });
  const CallConfiguration configuration = configurations.back();
  configurations.pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

// Since CUDA 12.8 a host stub asks once for its kernel and launches by that: our kernel is the stub's address itself.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return call(__func__, [&] {
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host));
    return castor::cudart::function_name(host) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared_bytes,
                               cudaStream_t stream) {
  return call("cudaLaunchKernel",
              [&] { return api::cudaLaunchKernel(kernel, grid, block, args, shared_bytes, stream); });
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared_bytes,
                                    cudaStream_t stream) {
  return call_per_thread("cudaLaunchKernel_ptsz",
                         [&] { return api::cudaLaunchKernel(kernel, grid, block, args, shared_bytes, stream); });
}

void* __cudaGetProcAddress(const char*) { return nullptr; }
}

// What host objects of CUDA 12 ask for.
#define ALSO_12(name) __asm__(".symver " #name "," #name "@libcudart.so.12");
ALSO_12(__cudaRegisterFatBinary)
ALSO_12(__cudaRegisterFatBinaryEnd)
ALSO_12(__cudaUnregisterFatBinary)
ALSO_12(__cudaInitModule)
ALSO_12(__cudaRegisterFunction)
ALSO_12(__cudaRegisterVar)
ALSO_12(__cudaRegisterManagedVar)
ALSO_12(__cudaRegisterHostVar)
ALSO_12(__cudaRegisterUnifiedTable)
ALSO_12(__cudaPushCallConfiguration)
ALSO_12(__cudaPopCallConfiguration)
ALSO_12(__cudaGetKernel)
ALSO_12(__cudaLaunchKernel)
ALSO_12(__cudaLaunchKernel_ptsz)
#undef ALSO_12
#pragma GCC visibility pop
