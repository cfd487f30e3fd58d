// call_library
//   before: operations that RISC-V's back end would turn into calls of a C library (sine, fmod, 128-bit division, …)
//   after:  they are calls already, of the same names, so that the device library can define them and they can be inlined
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <string>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

/// C name of a floating-point intrinsic, of its double form.
const char* library_name(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::sin: return "sin";
    case Intrinsic::cos: return "cos";
    case Intrinsic::tan: return "tan";
    case Intrinsic::asin: return "asin";
    case Intrinsic::acos: return "acos";
    case Intrinsic::atan: return "atan";
    case Intrinsic::sinh: return "sinh";
    case Intrinsic::cosh: return "cosh";
    case Intrinsic::tanh: return "tanh";
    case Intrinsic::exp: return "exp";
    case Intrinsic::exp2: return "exp2";
    case Intrinsic::exp10: return "exp10";
    case Intrinsic::log: return "log";
    case Intrinsic::log2: return "log2";
    case Intrinsic::log10: return "log10";
    case Intrinsic::pow: return "pow";
    case Intrinsic::powi: return "__castor_powi";
    case Intrinsic::ldexp: return "ldexp";
    default: return nullptr;
  }
}

/// Names of compiler-rt for 128-bit integers; null for what RISC-V does in line.
const char* wide_integer_name(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::SDiv: return "__divti3";
    case Instruction::UDiv: return "__udivti3";
    case Instruction::SRem: return "__modti3";
    case Instruction::URem: return "__umodti3";
    case Instruction::FPToSI: return instruction.getOperand(0)->getType()->isDoubleTy() ? "__fixdfti" : "__fixsfti";
    case Instruction::FPToUI:
      return instruction.getOperand(0)->getType()->isDoubleTy() ? "__fixunsdfti" : "__fixunssfti";
    case Instruction::SIToFP: return instruction.getType()->isDoubleTy() ? "__floattidf" : "__floattisf";
    case Instruction::UIToFP: return instruction.getType()->isDoubleTy() ? "__floatuntidf" : "__floatuntisf";
    default: return nullptr;
  }
}

void replace_by_call(Instruction& instruction, const std::string& name, ArrayRef<Value*> operands) {
  IRBuilder<> builder(&instruction);
  SmallVector<Type*> types;
  for (auto* operand : operands) types.push_back(operand->getType());
  auto callee =
      instruction.getModule()->getOrInsertFunction(name, FunctionType::get(instruction.getType(), types, false));
  auto* call = builder.CreateCall(callee, operands);
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  instruction.replaceAllUsesWith(call);
  instruction.eraseFromParent();
}

void replace_float(Instruction& instruction, std::string name, ArrayRef<Value*> operands) {
  auto* type = instruction.getType();
  if (type->isFloatTy()) name += 'f';
  if (type->isFloatTy() || type->isDoubleTy()) return replace_by_call(instruction, name, operands);
  if (!type->isHalfTy() && !type->isBFloatTy()) return;
  // Narrow types compute in single.
  IRBuilder<> builder(&instruction);
  auto* single = builder.getFloatTy();
  SmallVector<Value*> wide;
  SmallVector<Type*> types;
  for (auto* operand : operands) {
    wide.push_back(operand->getType() == type ? builder.CreateFPExt(operand, single) : operand);
    types.push_back(wide.back()->getType());
  }
  auto callee = instruction.getModule()->getOrInsertFunction(name + 'f', FunctionType::get(single, types, false));
  instruction.replaceAllUsesWith(builder.CreateFPTrunc(builder.CreateCall(callee, wide), type));
  instruction.eraseFromParent();
}

/// llvm.frexp returns a pair; the library's function stores the exponent.
void replace_frexp(IntrinsicInst& call) {
  auto* type = call.getArgOperand(0)->getType();
  if (!type->isFloatTy() && !type->isDoubleTy()) return;
  auto& entry = call.getFunction()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  auto* exponent = builder.CreateAlloca(builder.getInt32Ty());
  builder.SetInsertPoint(&call);
  auto* signature = FunctionType::get(type, {type, builder.getPtrTy()}, false);
  auto callee = call.getModule()->getOrInsertFunction(type->isFloatTy() ? "frexpf" : "frexp", signature);
  Value* result = PoisonValue::get(call.getType());
  result = builder.CreateInsertValue(result, builder.CreateCall(callee, {call.getArgOperand(0), exponent}), 0);
  result = builder.CreateInsertValue(result, builder.CreateLoad(builder.getInt32Ty(), exponent), 1);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void visit(Instruction& instruction) {
  if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == Intrinsic::frexp) return replace_frexp(*call);
    if (const char* name = library_name(call->getIntrinsicID()))
      replace_float(instruction, name, SmallVector<Value*>(call->args()));
    return;
  }
  if (instruction.getOpcode() == Instruction::FRem)
    return replace_float(instruction, "fmod", {instruction.getOperand(0), instruction.getOperand(1)});
  const bool wide = instruction.getType()->isIntegerTy(128) ||
                    (instruction.getNumOperands() > 0 && instruction.getOperand(0)->getType()->isIntegerTy(128));
  if (!wide) return;
  if (const char* name = wide_integer_name(instruction))
    replace_by_call(instruction, name, SmallVector<Value*>(instruction.operand_values()));
}

}  // namespace

Status call_library(DeviceModule& module) {
  for (auto& function : *module.ir)
    for (auto& instruction : make_early_inc_range(instructions(function))) visit(instruction);
  return {};
}

}  // namespace castor::compiler
