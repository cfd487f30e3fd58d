// Finds and loads the compiler library when something has to be compiled. Links neither LLVM nor the library.
#pragma once

#include <span>
#include <string>

namespace castor::compiler {

/// `castor cc ARGUMENTS…`: exit code; 1 with a message on stderr if the library cannot be loaded.
int run_cc(std::span<const std::string> arguments);

}  // namespace castor::compiler
