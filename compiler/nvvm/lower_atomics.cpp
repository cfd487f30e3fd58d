// lower_atomics
//   before: atomic operations of LLVM IR, any type
//   after:  those that Xcastor has (floating add, wrapping increment and decrement, 16-bit compare-and-swap) are its
//           instructions; the rest is what the A extension, Zacas or a compare-and-swap loop of the back end do
#include <llvm/IR/InstIterator.h>

#include "compiler/nvvm/machine_ops.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

isa::Op float_add(const Type* type) {
  if (type->isFloatTy()) return isa::Op::amofadd_s;
  if (type->isDoubleTy()) return isa::Op::amofadd_d;
  const auto* vector = dyn_cast<FixedVectorType>(type);
  if (vector == nullptr || vector->getNumElements() != 2) return isa::Op::illegal;
  if (vector->getElementType()->isHalfTy()) return isa::Op::amofadd_h2;
  return vector->getElementType()->isBFloatTy() ? isa::Op::amofadd_b2 : isa::Op::illegal;
}

isa::Op op_of(const AtomicRMWInst& rmw) {
  const auto* type = rmw.getType();
  switch (rmw.getOperation()) {
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub: return float_add(type);
    case AtomicRMWInst::UIncWrap: return type->isIntegerTy(32) ? isa::Op::amoinc_w : isa::Op::illegal;
    case AtomicRMWInst::UDecWrap: return type->isIntegerTy(32) ? isa::Op::amodec_w : isa::Op::illegal;
    default: return isa::Op::illegal;
  }
}

Value* address(IRBuilder<>& builder, Value* pointer) { return builder.CreatePtrToInt(pointer, builder.getInt64Ty()); }

void lower_rmw(AtomicRMWInst& rmw) {
  const auto op = op_of(rmw);
  if (op == isa::Op::illegal) return;
  IRBuilder<> builder(&rmw);
  auto* type = rmw.getType();
  auto* operand = rmw.getValOperand();
  if (rmw.getOperation() == AtomicRMWInst::FSub) operand = builder.CreateFNeg(operand);
  const bool packed = !type->isFloatTy() && !type->isDoubleTy();
  if (packed) {
    if (type->isVectorTy()) operand = builder.CreateBitCast(operand, builder.getInt32Ty());
    operand = builder.CreateZExt(operand, builder.getInt64Ty());
  }
  Value* old = emit_op(builder, op, operand->getType(), {operand, address(builder, rmw.getPointerOperand())});
  if (packed) {
    old = builder.CreateTrunc(old, builder.getInt32Ty());
    old = builder.CreateBitCast(old, type);
  }
  rmw.replaceAllUsesWith(old);
  rmw.eraseFromParent();
}

void lower_cas_16(AtomicCmpXchgInst& cas) {
  IRBuilder<> builder(&cas);
  auto* word = builder.getInt64Ty();
  auto* expected = builder.CreateSExt(cas.getCompareOperand(), word);
  auto* fresh = builder.CreateSExt(cas.getNewValOperand(), word);
  auto* old = emit_op(builder, isa::Op::amocas_h, word, {fresh, address(builder, cas.getPointerOperand()), expected});
  Value* result = PoisonValue::get(cas.getType());
  result = builder.CreateInsertValue(result, builder.CreateTrunc(old, builder.getInt16Ty()), 0);
  result = builder.CreateInsertValue(result, builder.CreateICmpEQ(old, expected), 1);
  cas.replaceAllUsesWith(result);
  cas.eraseFromParent();
}

}  // namespace

Status lower_atomics(DeviceModule& module) {
  for (auto& function : *module.ir) {
    for (auto& instruction : make_early_inc_range(instructions(function))) {
      if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction)) {
        lower_rmw(*rmw);
      } else if (auto* cas = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (cas->getNewValOperand()->getType()->isIntegerTy(16)) lower_cas_16(*cas);
      }
    }
  }
  return {};
}

}  // namespace castor::compiler
