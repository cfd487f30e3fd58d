#include "runtime/driver/module.h"

#include <algorithm>
#include <cstring>

#include "runtime/driver/fatbin.h"
#include "runtime/driver/handles.h"
#include "runtime/driver/process.h"
#include "runtime/driver/transfer.h"
#include "runtime/hal/access.h"

namespace castor::driver {
namespace {

std::mutex modules_mutex;
std::vector<std::unique_ptr<Module>>& modules() {
  static auto* const all = new std::vector<std::unique_ptr<Module>>;
  return *all;
}

/// Writes the addresses that the relocations name into the segment's bytes.
void relocate(const ModuleImage& image, std::uint64_t base, const ModuleImage::Segment& segment,
              std::vector<std::byte>& data) {
  for (const auto& relocation : image.relocations) {
    const std::uint64_t at = relocation.offset - segment.data_offset;
    if (relocation.offset < segment.data_offset || at >= data.size()) continue;
    const std::uint64_t target = base + relocation.target;
    std::memcpy(data.data() + at, &target, sizeof target);
  }
}

/// Copies the module to the device while it is writable, then gives every segment its own access.
CUresult place(Context& context, const ModuleImage& image, std::uint64_t base) {
  const Place start{base, image.bytes, 0};
  CUresult result = fill(context, context.legacy_stream(), start, 0, 4, {image.bytes}, Mode::asynchronous);
  for (const auto& segment : image.segments) {
    std::vector<std::byte> data = segment.data;
    relocate(image, base, segment, data);
    if (result == CUDA_SUCCESS) result = upload(context, base + segment.data_offset, data);
  }
  for (const auto& segment : image.segments) {
    if (result != CUDA_SUCCESS) return result;
    result =
        context.result(context.client().protect(context.id(), base + segment.offset, segment.bytes, segment.access));
  }
  return result;
}

void forget(const Module& module) {
  for (const auto& [name, function] : module.functions) Live<Function>::remove(function.get());
  Live<Module>::remove(&module);
}

void publish(Module& module, const ModuleImage& image) {
  module.variables = image.variables;
  for (const auto& [name, kernel] : image.kernels) {
    auto function = std::unique_ptr<Function>(
        new Function{module, name, module.base + kernel.descriptor_offset, kernel.descriptor, kernel.params});
    Live<Function>::add(function.get());
    module.functions.emplace(name, std::move(function));
  }
  Live<Module>::add(&module);
}

}  // namespace

CUresult find_module_file(const void* image, std::vector<std::byte>& file) {
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto selected = select_image(image, 10 * kComputeMajor + kComputeMinor);
  if (!selected) {
    log(LogLevel::error, "{}", selected.status().message());
    return selected.status().code() == StatusCode::not_found ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
  }
  if (selected->kind != ImageKind::elf) {
    log(LogLevel::error, "{}", not_built("run-time compilation of PTX or bitcode").message());
    return selected->kind == ImageKind::ptx ? CUDA_ERROR_JIT_COMPILER_NOT_FOUND : CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  file.assign(selected->bytes.begin(), selected->bytes.end());
  return CUDA_SUCCESS;
}

CUresult load_module(Context& context, std::vector<std::byte> file, const ModuleImage& image, Module*& out) {
  auto module = std::make_unique<Module>(context);
  auto base = context.client().alloc(context.id(), image.bytes, hal::kData);
  if (!base) return context.result(base.status());
  module->base = *base;
  module->bytes = image.bytes;
  module->file = std::move(file);
  context.memory().add({.kind = MemoryKind::module, .va = *base, .bytes = module->bytes});
  if (const CUresult result = place(context, image, *base); result != CUDA_SUCCESS) {
    context.memory().remove(*base);
    (void)context.client().free(context.id(), *base);
    return result;
  }
  publish(*module, image);
  const std::scoped_lock lock(modules_mutex);
  out = module.get();
  modules().push_back(std::move(module));
  return CUDA_SUCCESS;
}

CUresult unload_module(Module& module) {
  Context& context = module.context;
  forget(module);
  context.memory().remove(module.base);
  (void)context.synchronize();  // a kernel of it may still run; what went wrong is told by the next call
  Status status = context.client().free(context.id(), module.base);
  const std::scoped_lock lock(modules_mutex);
  std::erase_if(modules(), [&](const auto& each) { return each.get() == &module; });
  return context.result(status);
}

void drop_modules(Context& context) {
  const std::scoped_lock lock(modules_mutex);
  std::erase_if(modules(), [&](const auto& module) {
    if (&module->context != &context) return false;
    forget(*module);
    return true;
  });
}

CUresult module_of(Library& library, Context& context, Module*& out) {
  const std::scoped_lock lock(library.mutex);
  Module*& known = library.modules[context.number];
  if (known == nullptr || !Live<Module>::contains(known)) {
    known = nullptr;
    if (const CUresult result = load_module(context, library.file, library.image, known); result != CUDA_SUCCESS) {
      return result;
    }
  }
  out = known;
  return CUDA_SUCCESS;
}

Function* function_of(CUfunction handle, Context& context) {
  if (Live<Function>::contains(handle)) return &handle->module.context == &context ? handle : nullptr;
  auto* kernel = reinterpret_cast<Kernel*>(handle);
  if (!Live<Kernel>::contains(kernel)) return nullptr;
  Module* module = nullptr;
  if (module_of(kernel->library, context, module) != CUDA_SUCCESS) return nullptr;
  const auto found = module->functions.find(kernel->name);
  return found == module->functions.end() ? nullptr : found->second.get();
}

const Function* find_kernel(const Context& context, std::uint64_t descriptor) {
  const std::scoped_lock lock(modules_mutex);
  for (const auto& module : modules()) {
    if (&module->context != &context) continue;
    for (const auto& [name, function] : module->functions) {
      if (function->descriptor == descriptor) return function.get();
    }
  }
  return nullptr;
}

const Module* find_module(const Context& context, std::uint64_t address) {
  const std::scoped_lock lock(modules_mutex);
  for (const auto& module : modules()) {
    if (&module->context == &context && address >= module->base && address - module->base < module->bytes) {
      return module.get();
    }
  }
  return nullptr;
}

}  // namespace castor::driver
