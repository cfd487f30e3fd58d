#include "compiler/driver/toolkit.h"

#include <dlfcn.h>

namespace castor::compiler {
namespace {

Toolkit locate() {
  Dl_info self{};
  std::error_code error;
  std::filesystem::path library = "/proc/self/exe";
  if (dladdr(reinterpret_cast<const void*>(&toolkit), &self) != 0 && self.dli_fname != nullptr)
    library = self.dli_fname;
  library = std::filesystem::canonical(library, error);
  const auto root = library.parent_path().parent_path();
  return {root, root / "include", root / "lib64", root.parent_path() / "share/castor/devicelib.bc"};
}

}  // namespace

const Toolkit& toolkit() {
  static const Toolkit found = locate();
  return found;
}

}  // namespace castor::compiler
