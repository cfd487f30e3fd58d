// Where in the user's source an instruction comes from.
#pragma once

#include <llvm/IR/Instruction.h>

#include <string>

namespace castor::compiler {

/// "file.cu:12:5: ", or "in function NAME: " where the source line is not known.
std::string location_text(const llvm::Instruction& instruction);

/// A mangled name as the user wrote it.
std::string demangled(llvm::StringRef name);

}  // namespace castor::compiler
