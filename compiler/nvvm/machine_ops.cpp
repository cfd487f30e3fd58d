#include "compiler/nvvm/machine_ops.h"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/ModRef.h>

#include "gpu/isa/assembler.h"

namespace castor::compiler {
namespace {

using namespace llvm;

constexpr unsigned kControl = 0x0b, kMemory = 0x2b;  // custom-0 and custom-1; the rest of Xcastor is arithmetic

Effect effect_of(isa::Op op) {
  const auto match = isa::def(op).match;
  if ((match & 0x7f) == kMemory) return Effect::memory;
  if ((match & 0x7f) != kControl) return Effect::pure;
  switch (match >> 12 & 7) {
    case 0: return Effect::memory;       // exit, trap, nanosleep, yield
    case 1: return Effect::sync;         // barriers
    case 3: return Effect::pure;         // shflp: a function of the lane's own place
    default: return Effect::convergent;  // shuffles, votes, matches, reductions
  }
}

bool changes_while_running(isa::Csr csr) { return csr == isa::Csr::clock || csr == isa::Csr::globaltimer; }

void mark(CallInst& call, Effect effect) {
  call.setDoesNotThrow();
  switch (effect) {
    case Effect::pure:
      call.setDoesNotAccessMemory();
      call.addFnAttr(Attribute::WillReturn);
      break;
    case Effect::convergent:
      call.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      call.setConvergent();
      break;
    case Effect::sync: call.setConvergent(); break;
    case Effect::memory: break;
  }
}

}  // namespace

CallInst* emit_asm(IRBuilder<>& builder, std::string_view text, std::string_view constraints, Type* result,
                   ArrayRef<Value*> operands, Effect effect) {
  SmallVector<Type*> types;
  for (auto* operand : operands) types.push_back(operand->getType());
  std::string full(constraints);
  if (effect == Effect::memory || effect == Effect::sync) full += full.empty() ? "~{memory}" : ",~{memory}";
  auto* type = FunctionType::get(result, types, false);
  auto* code = InlineAsm::get(type, StringRef(text), full, effect != Effect::pure);
  auto* call = builder.CreateCall(type, code, operands);
  mark(*call, effect);
  return call;
}

CallInst* emit_op(IRBuilder<>& builder, isa::Op op, Type* result, ArrayRef<Value*> operands) {
  return emit_asm(builder, isa::insn_directive(op), isa::insn_constraints(op), result, operands, effect_of(op));
}

CallInst* read_csr(IRBuilder<>& builder, isa::Csr csr) {
  const auto text = fmt::format("csrr $0, {:#x}", static_cast<unsigned>(csr));
  const auto effect = changes_while_running(csr) ? Effect::convergent : Effect::pure;
  return emit_asm(builder, text, "=r", builder.getInt64Ty(), {}, effect);
}

}  // namespace castor::compiler
