// Chapter: library management. A library belongs to no context; it is loaded in each where one of its kernels is asked for.
#include "runtime/driver/execution.h"
#include "runtime/driver/handles.h"
#include "runtime/driver/module.h"
#include "runtime/driver/module_file.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

CUresult load(CUlibrary* out, const void* image) {
  if (out == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto library = std::make_unique<Library>();
  if (const CUresult result = read_module(image, library->file, library->image); result != CUDA_SUCCESS) return result;
  for (const auto& [name, kernel] : library->image.kernels) {
    auto handle = std::unique_ptr<Kernel>(new Kernel{*library, name});
    Live<Kernel>::add(handle.get());
    library->kernels.emplace(name, std::move(handle));
  }
  Live<Library>::add(library.get());
  *out = library.release();
  return CUDA_SUCCESS;
}

/// The kernel's function in the current context.
CUresult function_here(CUkernel kernel, Function*& function) {
  if (!Live<Kernel>::contains(kernel)) return CUDA_ERROR_INVALID_HANDLE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Module* module = nullptr;
  if (const CUresult result = module_of(kernel->library, *context, module); result != CUDA_SUCCESS) return result;
  const auto found = module->functions.find(kernel->name);
  if (found == module->functions.end()) return CUDA_ERROR_NOT_FOUND;
  function = found->second.get();
  return CUDA_SUCCESS;
}

CUresult module_here(CUlibrary library, Module*& module) {
  if (!Live<Library>::contains(library)) return CUDA_ERROR_INVALID_HANDLE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  return module_of(*library, *context, module);
}

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* out, const void* image, CUjit_option*, void**, unsigned int, CUlibraryOption*,
                           void**, unsigned int) {
  return load(out, image);
}

CUresult cuLibraryLoadFromFile(CUlibrary* out, const char* path, CUjit_option*, void**, unsigned int, CUlibraryOption*,
                               void**, unsigned int) {
  std::vector<char> bytes;
  if (const CUresult result = read_file(path, bytes); result != CUDA_SUCCESS) return result;
  return load(out, bytes.data());
}

CUresult cuLibraryUnload(CUlibrary library) {
  if (!Live<Library>::remove(library)) return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = CUDA_SUCCESS;
  for (const auto& [context, module] : library->modules) {
    if (!Live<Module>::contains(module)) continue;  // its context has gone
    if (const CUresult unloaded = unload_module(*module); result == CUDA_SUCCESS) result = unloaded;
  }
  for (const auto& [name, kernel] : library->kernels) Live<Kernel>::remove(kernel.get());
  delete library;
  return result;
}

CUresult cuLibraryGetKernel(CUkernel* out, CUlibrary library, const char* name) {
  if (out == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Library>::contains(library)) return CUDA_ERROR_INVALID_HANDLE;
  const auto found = library->kernels.find(std::string_view(name));
  if (found == library->kernels.end()) return CUDA_ERROR_NOT_FOUND;
  *out = found->second.get();
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Library>::contains(library)) return CUDA_ERROR_INVALID_HANDLE;
  *count = static_cast<unsigned>(library->kernels.size());
  return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int room, CUlibrary library) {
  if (kernels == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Library>::contains(library)) return CUDA_ERROR_INVALID_HANDLE;
  unsigned count = 0;
  for (const auto& [name, kernel] : library->kernels) {
    if (count == room) break;
    kernels[count++] = kernel.get();
  }
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule* out, CUlibrary library) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Module* module = nullptr;
  const CUresult result = module_here(library, module);
  if (result == CUDA_SUCCESS) *out = module;
  return result;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
  Module* module = nullptr;
  if (const CUresult result = module_here(library, module); result != CUDA_SUCCESS) return result;
  return driver::cuModuleGetGlobal_v2(address, bytes, module, name);
}

CUresult cuKernelGetFunction(CUfunction* out, CUkernel kernel) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* function = nullptr;
  const CUresult result = function_here(kernel, function);
  if (result == CUDA_SUCCESS) *out = function;
  return result;
}

CUresult cuKernelGetLibrary(CUlibrary* out, CUkernel kernel) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Kernel>::contains(kernel)) return CUDA_ERROR_INVALID_HANDLE;
  *out = &kernel->library;
  return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  Function* function = nullptr;
  if (const CUresult result = function_here(kernel, function); result != CUDA_SUCCESS) return result;
  return driver::cuFuncGetAttribute(value, attribute, function);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
  Function* function = nullptr;
  if (const CUresult result = function_here(kernel, function); result != CUDA_SUCCESS) return result;
  return driver::cuFuncSetAttribute(function, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) {
  return Live<Kernel>::contains(kernel) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Kernel>::contains(kernel)) return CUDA_ERROR_INVALID_HANDLE;
  *name = kernel->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (!Live<Kernel>::contains(kernel)) return CUDA_ERROR_INVALID_HANDLE;
  return param_info(kernel->library.image.kernels.at(kernel->name).params, index, offset, bytes);
}

}  // namespace castor::driver
