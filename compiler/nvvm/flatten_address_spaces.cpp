// flatten_address_spaces
//   before: pointers of NVVM's address spaces (1 global, 3 shared, 4 constant, 5 local), cast to generic ones and back
//   after:  one address space; the module is RISC-V's (triple, data layout). A generic address is what isa.md says, so
//           that every cast is the identity
#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "compiler/codegen/target.h"
#include "compiler/module/source_location.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

bool is_flat(const Type* type) {
  if (const auto* pointer = dyn_cast<PointerType>(type)) return pointer->getAddressSpace() == 0;
  for (const auto* part : type->subtypes())
    if (!is_flat(part)) return false;
  return true;
}

Type* flat(Type* type) {
  auto& context = type->getContext();
  if (is_flat(type)) return type;
  if (type->isPointerTy()) return PointerType::get(context, 0);
  if (auto* vector = dyn_cast<VectorType>(type))
    return VectorType::get(flat(vector->getElementType()), vector->getElementCount());
  if (auto* array = dyn_cast<ArrayType>(type))
    return ArrayType::get(flat(array->getElementType()), array->getNumElements());
  if (auto* structure = dyn_cast<StructType>(type)) {
    SmallVector<Type*> parts;
    for (auto* part : structure->elements()) parts.push_back(flat(part));
    return StructType::get(context, parts, structure->isPacked());
  }
  return type;
}

Constant* flat(Constant* constant) {
  if (llvm::isa<GlobalValue>(constant)) return constant;
  if (auto* cast = dyn_cast<ConstantExpr>(constant); cast != nullptr && cast->getOpcode() == Instruction::AddrSpaceCast)
    return flat(cast->getOperand(0));
  Type* type = flat(constant->getType());
  if (llvm::isa<PoisonValue>(constant)) return PoisonValue::get(type);
  if (llvm::isa<UndefValue>(constant)) return UndefValue::get(type);
  if (constant->isNullValue()) return Constant::getNullValue(type);
  if (constant->getNumOperands() == 0 || llvm::isa<BlockAddress>(constant)) return constant;
  SmallVector<Constant*> operands;
  bool changed = type != constant->getType();
  for (auto& operand : constant->operands()) {
    auto* old = cast<Constant>(&operand);
    operands.push_back(flat(old));
    changed |= operands.back() != old;
  }
  if (!changed) return constant;
  if (auto* expression = dyn_cast<ConstantExpr>(constant)) return expression->getWithOperands(operands, type);
  if (auto* array = dyn_cast<ArrayType>(type)) return ConstantArray::get(array, operands);
  if (auto* structure = dyn_cast<StructType>(type)) return ConstantStruct::get(structure, operands);
  return ConstantVector::get(operands);
}

/// The front end ends the address of a variable with the number of its space and DW_OP_xderef.
void flatten_debug_info(GlobalVariable& global) {
  SmallVector<DIGlobalVariableExpression*> expressions;
  global.getDebugInfo(expressions);
  global.eraseMetadata(LLVMContext::MD_dbg);
  for (auto* expression : expressions) {
    auto elements = expression->getExpression()->getElements();
    if (elements.size() >= 4 && elements.back() == dwarf::DW_OP_xderef) elements = elements.drop_back(4);
    auto& context = global.getContext();
    global.addDebugInfo(
        DIGlobalVariableExpression::get(context, expression->getVariable(), DIExpression::get(context, elements)));
  }
}

/// Each variable moves to address space 0; casts of its old address fold away later.
void flatten_variables(Module& module) {
  for (auto& global : make_early_inc_range(module.globals())) {
    if (global.getAddressSpace() == 0) continue;
    auto* fresh = new GlobalVariable(module, global.getValueType(), global.isConstant(), global.getLinkage(), nullptr,
                                     "", &global, global.getThreadLocalMode(), 0, global.isExternallyInitialized());
    fresh->takeName(&global);
    fresh->copyAttributesFrom(&global);
    fresh->copyMetadata(&global, 0);
    if (global.getAddressSpace() == 4) fresh->addAttribute("castor-constant");
    if (global.hasInitializer()) fresh->setInitializer(global.getInitializer());
    global.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(fresh, global.getType()));
    global.eraseFromParent();
  }
  for (auto& global : module.globals()) flatten_debug_info(global);
  for (auto& global : module.globals())
    if (global.hasInitializer()) global.setInitializer(flat(global.getInitializer()));
}

/// The same intrinsic for the flat types (llvm.memcpy.p0.p3.i64 becomes llvm.memcpy.p0.p0.i64).
void flatten_intrinsic(CallBase& call) {
  auto* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isIntrinsic()) return;
  SmallVector<Type*> types;
  for (auto* parameter : callee->getFunctionType()->params()) types.push_back(flat(parameter));
  auto* type = FunctionType::get(flat(callee->getReturnType()), types, callee->isVarArg());
  if (type == callee->getFunctionType()) return;
  SmallVector<Type*> overloads;
  SmallVector<Intrinsic::IITDescriptor> table;
  Intrinsic::getIntrinsicInfoTableEntries(callee->getIntrinsicID(), table);
  ArrayRef<Intrinsic::IITDescriptor> rest(table);
  if (Intrinsic::matchIntrinsicSignature(type, rest, overloads) != Intrinsic::MatchIntrinsicTypes_Match) return;
  call.setCalledFunction(Intrinsic::getDeclaration(call.getModule(), callee->getIntrinsicID(), overloads));
}

void flatten_instruction(Instruction& instruction) {
  for (auto& operand : instruction.operands())
    if (auto* constant = dyn_cast<Constant>(operand.get())) operand.set(flat(constant));
  if (auto* place = dyn_cast<AllocaInst>(&instruction)) place->setAllocatedType(flat(place->getAllocatedType()));
  if (auto* gep = dyn_cast<GetElementPtrInst>(&instruction)) {
    gep->setSourceElementType(flat(gep->getSourceElementType()));
    gep->setResultElementType(flat(gep->getResultElementType()));
  }
  if (!is_flat(instruction.getType())) instruction.mutateType(flat(instruction.getType()));
  if (auto* call = dyn_cast<CallBase>(&instruction)) flatten_intrinsic(*call);
}

void flatten_function(Function& function) {
  SmallVector<AddrSpaceCastInst*> casts;
  for (auto& instruction : instructions(function)) {
    flatten_instruction(instruction);
    if (auto* cast = dyn_cast<AddrSpaceCastInst>(&instruction)) casts.push_back(cast);
  }
  for (auto* cast : casts) {
    cast->replaceAllUsesWith(cast->getPointerOperand());
    cast->eraseFromParent();
  }
}

/// Attributes and metadata that speak of NVPTX.
void retarget(Module& module, const TargetMachine& target) {
  module.setTargetTriple(target.getTargetTriple().str());
  module.setDataLayout(target.createDataLayout());
  for (auto& function : module) {
    for (const auto* attribute :
         {"target-cpu", "target-features", "frame-pointer", "uniform-work-group-size", "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
    function.setDSOLocal(true);
  }
  for (auto& global : module.globals()) global.setDSOLocal(true);
}

}  // namespace

Status flatten_address_spaces(DeviceModule& module) {
  for (auto& function : *module.ir) {
    if (!function.isIntrinsic() && !is_flat(function.getReturnType()))
      return not_built(fmt::format("function {} with a pointer of an address space", demangled(function.getName())));
    for (const auto& argument : function.args())
      if (!function.isIntrinsic() && !is_flat(argument.getType()))
        return not_built(fmt::format("function {} with a pointer of an address space", demangled(function.getName())));
  }
  flatten_variables(*module.ir);
  for (auto& function : *module.ir) flatten_function(function);
  for (auto& function : make_early_inc_range(*module.ir))
    if (function.isIntrinsic() && function.use_empty()) function.eraseFromParent();
  retarget(*module.ir, *riscv_target(module.optimize));
  return {};
}

}  // namespace castor::compiler
