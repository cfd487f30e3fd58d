// Modules and what is in them: kernels (CUfunction) and variables; libraries (CUlibrary), which are modules of every context at once.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/driver/context.h"
#include "runtime/driver/module_image.h"

/// What a CUmodule points to.
struct CUmod_st {
  CUmod_st(castor::driver::Context& owner) : context(owner) {}

  castor::driver::Context& context;
  std::uint64_t base = 0, bytes = 0;
  std::map<std::string, std::unique_ptr<CUfunc_st>, std::less<>> functions;
  std::map<std::string, castor::driver::ModuleImage::Variable, std::less<>> variables;
  std::vector<std::byte> file;  // for line information after a fault
};

/// What a CUfunction points to.
struct CUfunc_st {
  CUmod_st& module;
  std::string name;
  std::uint64_t descriptor;  // address in the context
  castor_kernel_desc facts;
  std::vector<castor_note_param> params;
  std::atomic<int> max_dynamic_shared{0};  // 0: what fits without asking
  std::atomic<int> carveout{-1};
};

/// What a CUlibrary points to.
struct CUlib_st {
  std::vector<std::byte> file;
  castor::driver::ModuleImage image;
  std::map<std::string, std::unique_ptr<CUkern_st>, std::less<>> kernels;
  std::mutex mutex;
  std::map<unsigned long long, CUmod_st*> modules;  // by context number
};

/// What a CUkernel points to.
struct CUkern_st {
  CUlib_st& library;
  std::string name;
};

namespace castor::driver {

using Module = CUmod_st;
using Function = CUfunc_st;
using Library = CUlib_st;
using Kernel = CUkern_st;

/// The bytes of the GPU module that `image` (file, fat binary, wrapper) holds for this device.
CUresult find_module_file(const void* image, std::vector<std::byte>& file);
CUresult load_module(Context& context, std::vector<std::byte> file, const ModuleImage& image, Module*& out);
CUresult unload_module(Module& module);
/// Forgets the modules of a context that goes away.
void drop_modules(Context& context);

/// The function that a handle means in the context; a CUkernel is taken for one too, as CUDA does. Null: neither.
Function* function_of(CUfunction handle, Context& context);
/// The library's module in the context, loaded on first use.
CUresult module_of(Library& library, Context& context, Module*& out);

/// The kernel whose descriptor is at the address; null if there is none.
const Function* find_kernel(const Context& context, std::uint64_t descriptor);
/// The module that holds the address.
const Module* find_module(const Context& context, std::uint64_t address);

}  // namespace castor::driver
