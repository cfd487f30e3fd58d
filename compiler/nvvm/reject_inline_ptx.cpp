// reject_inline_ptx
//   before: device code may hold inline PTX assembly
//   after:  there is none, but for empty statements, which only order the code around them; PTX text is an error with the
//           source line until the PTX front end reads it
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/module/source_location.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

/// PTX's register letters in RISC-V's terms: "=l,h" becomes "=r,r".
std::string translate_constraints(StringRef constraints) {
  std::string text;
  bool in_name = false;
  for (const char letter : constraints) {
    if (letter == '{') in_name = true;
    if (letter == '}') in_name = false;
    const bool integer = letter == 'l' || letter == 'h' || letter == 'c';
    text += in_name ? letter : integer ? 'r' : letter == 'd' ? 'f' : letter;
  }
  return text;
}

/// The text as the source has it: clang writes operands as $0.
std::string as_written(StringRef text) {
  std::string written = text.trim().str();
  for (std::size_t i = 0; i + 1 < written.size(); ++i)
    if (written[i] == '$' && isDigit(written[i + 1])) written[i] = '%';
  return written;
}

Status visit(CallInst& call) {
  const auto* code = cast<InlineAsm>(call.getCalledOperand());
  const StringRef text = code->getAsmString();
  if (!text.trim().empty())
    return {StatusCode::not_supported, fmt::format("{}error: inline PTX assembly \"{}\" is not supported yet",
                                                   location_text(call), as_written(text))};
  call.setCalledOperand(InlineAsm::get(code->getFunctionType(), "", translate_constraints(code->getConstraintString()),
                                       code->hasSideEffects()));
  return {};
}

}  // namespace

Status reject_inline_ptx(DeviceModule& module) {
  for (auto& function : *module.ir)
    for (auto& instruction : instructions(function)) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call == nullptr || !call->isInlineAsm()) continue;
      if (auto status = visit(*call); !status) return status;
    }
  return {};
}

}  // namespace castor::compiler
