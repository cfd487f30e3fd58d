// What programs register before main: fat binaries, their kernels and variables. Loaded into a context on first use.
#pragma once

#include "runtime/cudart/api.h"

namespace castor::cudart {

struct FatBinary;

/// Registration, as the host object's constructors call it. Names are those of the device symbols.
FatBinary* register_fat_binary(const void* wrapper);
void unregister_fat_binary(FatBinary* binary);
void register_function(FatBinary* binary, const void* host, const char* device_name);
void register_variable(FatBinary* binary, const void* host, const char* device_name, size_t bytes);

/// The driver's function for a kernel's host stub (or a cudaKernel_t), in the current context.
cudaError_t find_function(CUfunction* function, const void* host);
/// The device symbol's name of a kernel; nullptr if it is not registered.
const char* function_name(const void* host);
/// A kernel of cudaLibraryGetKernel may stand where a host stub may.
void remember_kernel(CUkernel kernel);

struct Variable {
  CUdeviceptr address = 0;
  size_t bytes = 0;
};
cudaError_t find_variable(Variable* variable, const void* host);

}  // namespace castor::cudart
