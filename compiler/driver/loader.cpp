#include "compiler/driver/loader.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <vector>

namespace castor::compiler {
namespace {

/// Both in the build tree and installed: bin/castor, toolkit/lib64/libcastor_compiler.so.
std::filesystem::path library_path() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return self.parent_path().parent_path() / "toolkit/lib64/libcastor_compiler.so";
}

}  // namespace

int run_cc(std::span<const std::string> arguments) {
  const auto path = library_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "castor: cannot load the compiler: %s\n", dlerror());
    return 1;
  }
  using Entry = int(int, const char* const*);
  auto* entry = reinterpret_cast<Entry*>(dlsym(library, "castor_cc_main"));
  if (entry == nullptr) {
    std::fprintf(stderr, "castor: %s is not this version's compiler: %s\n", path.c_str(), dlerror());
    return 1;
  }
  std::vector<const char*> argv;
  for (const auto& argument : arguments) argv.push_back(argument.c_str());
  return entry(static_cast<int>(argv.size()), argv.data());
}

}  // namespace castor::compiler
