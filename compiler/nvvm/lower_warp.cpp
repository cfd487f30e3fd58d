// Handlers: special registers, barriers and what lanes of a warp do together.
#include "compiler/nvvm/lowering.h"

namespace castor::compiler::lower {
namespace {

using namespace llvm;

/// What the front end knows of a special register, said of the 64-bit word that the CSR holds (zero-extended).
void set_range(CallInst& read, const CallInst& call) {
  const auto known = call.getRange();
  const unsigned bits = call.getType()->getIntegerBitWidth();
  const auto range = known ? known->zeroExtend(64) : ConstantRange(APInt(64, 0), APInt::getOneBitSet(64, bits));
  read.addRangeRetAttr(range);
}

/// (a << bits) | b of 64-bit words.
Value* pack(IRBuilder<>& builder, Value* high, unsigned bits, Value* low) {
  return builder.CreateOr(builder.CreateShl(high, bits), low);
}

Value* zext32(const Lowering& l, unsigned i) {
  return l.builder.CreateZExt(l.builder.CreateTrunc(l.arg(i), l.builder.getInt32Ty()), l.builder.getInt64Ty());
}

/// {value, predicate} as the "p" forms return it.
Value* pair(const Lowering& l, Value* value, Value* predicate) {
  Value* result = PoisonValue::get(l.call.getType());
  result = l.builder.CreateInsertValue(result, value, 0);
  return l.builder.CreateInsertValue(result, predicate, 1);
}

isa::Op predicate_of(isa::Op shuffle) {
  switch (shuffle) {
    case isa::Op::shfl_up: return isa::Op::shflp_up;
    case isa::Op::shfl_down: return isa::Op::shflp_down;
    case isa::Op::shfl_bfly: return isa::Op::shflp_bfly;
    default: return isa::Op::shflp_idx;
  }
}

}  // namespace

Value* sreg(const Lowering& l) {
  auto* word = read_csr(l.builder, l.row.csr);
  if (l.call.getType()->isIntegerTy(64)) return word;
  set_range(*word, l.call);
  return l.builder.CreateTrunc(word, l.call.getType());
}

Value* fixed(const Lowering& l) { return ConstantInt::get(l.call.getType(), l.row.fixed); }

Value* no_operands(const Lowering& l) {
  auto* type = l.call.getType();
  auto* result = emit_op(l.builder, l.row.op, type->isVoidTy() ? type : l.builder.getInt64Ty(), {});
  return type->isVoidTy() ? nullptr : l.as(type, result);
}

Value* barrier_all(const Lowering& l) {
  emit_op(l.builder, l.row.op, l.builder.getVoidTy(), {l.builder.getInt64(0)});
  return nullptr;
}

Value* barrier_id(const Lowering& l) {
  emit_op(l.builder, l.row.op, l.builder.getVoidTy(), {zext32(l, 0)});
  return nullptr;
}

Value* barrier_count(const Lowering& l) {
  emit_op(l.builder, l.row.op, l.builder.getVoidTy(), {pack(l.builder, zext32(l, 1), 8, zext32(l, 0))});
  return nullptr;
}

Value* barrier_reduce(const Lowering& l) {
  auto* result = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.builder.getInt64(0), l.word(0)});
  return l.as(l.call.getType(), result);
}

Value* warp_barrier(const Lowering& l) {
  emit_op(l.builder, l.row.op, l.builder.getVoidTy(), {zext32(l, 0)});
  return nullptr;
}

/// (mask, value, lane operand b, c): c is PTX's (segment mask << 8) | clamp.
Value* shuffle(const Lowering& l) {
  auto* control = pack(l.builder, zext32(l, 3), 32, zext32(l, 0));
  auto* lane = zext32(l, 2);
  auto* word = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.word(1), lane, control});
  auto* value = l.as(l.arg(1)->getType(), word);
  if (!l.call.getType()->isStructTy()) return value;
  auto* inside = emit_op(l.builder, predicate_of(l.row.op), l.builder.getInt64Ty(), {lane, control});
  return pair(l, value, l.as(l.builder.getInt1Ty(), inside));
}

Value* vote(const Lowering& l) {
  auto* predicate = l.builder.CreateZExt(l.arg(1), l.builder.getInt64Ty());
  auto* result = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {predicate, zext32(l, 0)});
  return l.as(l.call.getType(), result);
}

Value* match_any_lanes(const Lowering& l) {
  auto* result = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.word(1), zext32(l, 0)});
  return l.as(l.call.getType(), result);
}

Value* match_all_lanes(const Lowering& l) {
  auto* result = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.word(1), zext32(l, 0)});
  return pair(l, l.as(l.builder.getInt32Ty(), result), l.builder.CreateICmpNE(result, l.builder.getInt64(0)));
}

/// (value, mask)
Value* reduce(const Lowering& l) {
  auto* result = emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.word(0), zext32(l, 1)});
  return l.as(l.call.getType(), result);
}

/// (address, bound)
Value* atomic_wrap(const Lowering& l) {
  auto* address = l.builder.CreatePtrToInt(l.arg(0), l.builder.getInt64Ty());
  return l.as(l.call.getType(), emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), {l.word(1), address}));
}

}  // namespace castor::compiler::lower
