// check_undefined
//   before: functions may be declared and called but not defined: the front end takes a declaration for a promise
//   after:  there is none; each is an error with the source line of a call
#include <fmt/format.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/module/source_location.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

std::string place_of(const llvm::Function& function) {
  for (const auto* user : function.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) return location_text(*instruction);
  return {};
}

/// Functions of the language that are not there yet.
std::string complaint(const llvm::Function& function) {
  const auto name = function.getName();
  if (name == "vprintf") return "printf in device code is not supported yet";
  return "no device code for function " + demangled(name);
}

}  // namespace

Status check_undefined(DeviceModule& module) {
  std::string text;
  for (const auto& function : *module.ir) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    text += fmt::format("{}{}error: {}", text.empty() ? "" : "\n", place_of(function), complaint(function));
  }
  return text.empty() ? Status() : Status(StatusCode::not_found, text);
}

}  // namespace castor::compiler
