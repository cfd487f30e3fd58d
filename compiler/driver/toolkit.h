// Where the parts of an installation lie, seen from the compiler library: the build tree has the same shape.
#pragma once

#include <filesystem>

namespace castor::compiler {

struct Toolkit {
  std::filesystem::path root;            // prefix/toolkit, what CUDA programs call CUDA_PATH
  std::filesystem::path include;         // root/include
  std::filesystem::path libraries;       // root/lib64
  std::filesystem::path device_library;  // prefix/share/castor/devicelib.bc
};

const Toolkit& toolkit();

}  // namespace castor::compiler
