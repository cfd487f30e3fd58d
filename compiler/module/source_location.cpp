#include "compiler/module/source_location.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

namespace castor::compiler {
namespace {

/// Inlined code: the outermost place outside of our own headers is the user's.
const llvm::DILocation* users_place(const llvm::DILocation* place) {
  const auto ours = [](const llvm::DILocation& l) { return l.getFilename().contains("/castor/"); };
  while (place->getInlinedAt() != nullptr && ours(*place)) place = place->getInlinedAt();
  return place;
}

}  // namespace

std::string location_text(const llvm::Instruction& instruction) {
  if (const auto& location = instruction.getDebugLoc()) {
    const auto* place = users_place(location.get());
    return fmt::format("{}:{}:{}: ", place->getFilename().str(), place->getLine(), place->getColumn());
  }
  return fmt::format("in function {}: ", demangled(instruction.getFunction()->getName()));
}

std::string demangled(llvm::StringRef name) { return llvm::demangle(std::string_view(name)); }

}  // namespace castor::compiler
