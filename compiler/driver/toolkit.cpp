#include "compiler/driver/toolkit.h"

#include <dlfcn.h>

namespace castor::compiler {
namespace {

/// The prefix is the nearest folder above the code of this library that has a toolkit: prefix/toolkit/lib64 when it is
/// loaded, prefix/tests when a test has it linked in.
std::filesystem::path find_prefix() {
  Dl_info self{};
  std::error_code error;
  std::filesystem::path place = "/proc/self/exe";
  // Of a program, as opposed to a library, dladdr knows only what argv[0] says.
  if (dladdr(reinterpret_cast<const void*>(&toolkit), &self) != 0 && self.dli_fname != nullptr &&
      self.dli_fname[0] == '/')
    place = self.dli_fname;
  place = std::filesystem::canonical(place, error);
  for (auto folder = place.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (std::filesystem::exists(folder / "toolkit/include/cuda_runtime.h", error)) return folder;
  return place.parent_path();
}

Toolkit locate() {
  const auto prefix = find_prefix();
  const auto root = prefix / "toolkit";
  return {root, root / "include", root / "lib64", prefix / "share/castor/devicelib.bc"};
}

}  // namespace

const Toolkit& toolkit() {
  static const Toolkit found = locate();
  return found;
}

}  // namespace castor::compiler
