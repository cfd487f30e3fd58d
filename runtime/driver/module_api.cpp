// Chapter: module management.
#include <fstream>
#include <iterator>

#include "runtime/driver/handles.h"
#include "runtime/driver/module.h"
#include "runtime/driver/module_file.h"
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

CUresult load(CUmodule* out, const void* image) {
  if (out == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  std::vector<std::byte> file;
  ModuleImage parsed;
  if (const CUresult result = read_module(image, file, parsed); result != CUDA_SUCCESS) return result;
  Module* module = nullptr;
  const CUresult result = load_module(*context, std::move(file), parsed, module);
  if (result == CUDA_SUCCESS) *out = module;
  return result;
}

}  // namespace

CUresult read_module(const void* image, std::vector<std::byte>& file, ModuleImage& parsed) {
  if (const CUresult result = find_module_file(image, file); result != CUDA_SUCCESS) return result;
  auto taken_apart = parse_module(file);
  if (!taken_apart) {
    log(LogLevel::error, "{}", taken_apart.status().message());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  parsed = std::move(*taken_apart);
  return CUDA_SUCCESS;
}

CUresult read_file(const char* path, std::vector<char>& bytes) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream in(path, std::ios::binary);
  if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
  bytes.assign(std::istreambuf_iterator<char>(in), {});
  // Whoever looks at it reads headers first and may be told sizes that the file does not have.
  bytes.resize(bytes.size() + 4096);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule* out, const char* path) {
  std::vector<char> bytes;
  if (const CUresult result = read_file(path, bytes); result != CUDA_SUCCESS) return result;
  return load(out, bytes.data());
}
CUresult cuModuleLoadData(CUmodule* out, const void* image) { return load(out, image); }
CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned int, CUjit_option*, void**) {
  return load(out, image);  // the options are for a compiler, and a module has been compiled
}
CUresult cuModuleLoadFatBinary(CUmodule* out, const void* image) { return load(out, image); }

CUresult cuModuleUnload(CUmodule module) {
  if (!Live<Module>::contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  return unload_module(*module);
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
  if (out == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Module>::contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  const auto found = module->functions.find(std::string_view(name));
  if (found == module->functions.end()) return CUDA_ERROR_NOT_FOUND;
  *out = found->second.get();
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Module>::contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  *count = static_cast<unsigned>(module->functions.size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int room, CUmodule module) {
  if (functions == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Module>::contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  unsigned count = 0;
  for (const auto& [name, function] : module->functions) {
    if (count == room) break;
    functions[count++] = function.get();
  }
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!Live<Module>::contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  const auto found = module->variables.find(std::string_view(name));
  if (found == module->variables.end()) return CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = module->base + found->second.offset;
  if (bytes != nullptr) *bytes = found->second.bytes;
  return CUDA_SUCCESS;
}

}  // namespace castor::driver
