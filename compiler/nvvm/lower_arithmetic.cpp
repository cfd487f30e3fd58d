// Handlers: integer and floating-point arithmetic.
#include <fmt/format.h>

#include "compiler/nvvm/lowering.h"

namespace castor::compiler::lower {
namespace {

using namespace llvm;

Value* multiply_high(const Lowering& l, Instruction::CastOps extend) {
  auto* type = cast<IntegerType>(l.call.getType());
  const unsigned bits = type->getBitWidth();
  auto* wide = l.builder.getIntNTy(2 * bits);
  auto* product =
      l.builder.CreateMul(l.builder.CreateCast(extend, l.arg(0), wide), l.builder.CreateCast(extend, l.arg(1), wide));
  return l.builder.CreateTrunc(l.builder.CreateLShr(product, bits), type);
}

/// The low 24 bits as PTX's mul24 sees them.
Value* low_24(const Lowering& l, unsigned i, bool is_signed) {
  auto* up = l.builder.CreateShl(l.arg(i), 8);
  return is_signed ? l.builder.CreateAShr(up, 8) : l.builder.CreateLShr(up, 8);
}

Value* sad(const Lowering& l, CmpInst::Predicate greater) {
  auto* forward = l.builder.CreateSub(l.arg(0), l.arg(1));
  auto* backward = l.builder.CreateSub(l.arg(1), l.arg(0));
  auto* is_greater = l.builder.CreateICmp(greater, l.arg(0), l.arg(1));
  return l.builder.CreateAdd(l.builder.CreateSelect(is_greater, forward, backward), l.arg(2));
}

/// ".rz" anywhere in the name, as RISC-V writes it; null for round to nearest even.
const char* rounding_of(std::string_view name) {
  const auto has = [name](std::string_view token) {
    const auto at = name.find(token);
    return at != std::string_view::npos && (at + 3 == name.size() || name[at + 3] == '.');
  };
  if (has(".rz")) return "rtz";
  if (has(".rm")) return "rdn";
  if (has(".rp")) return "rup";
  return nullptr;
}

char format_of(const Type* type) {
  if (type->isFloatTy()) return 's';
  if (type->isDoubleTy()) return 'd';
  return type->isHalfTy() ? 'h' : '\0';
}

/// Round to nearest even is plain IR, without the flags that would allow to fuse it.
Value* nearest(const Lowering& l, std::string_view op, ArrayRef<Value*> operands) {
  if (op == "add") return l.builder.CreateFAdd(operands[0], operands[1]);
  if (op == "mul") return l.builder.CreateFMul(operands[0], operands[1]);
  if (op == "div") return l.builder.CreateFDiv(operands[0], operands[1]);
  if (op == "sqrt") return l.builder.CreateUnaryIntrinsic(Intrinsic::sqrt, operands[0]);
  return l.builder.CreateIntrinsic(l.call.getType(), Intrinsic::fma, operands);
}

Value* rounded_op(const Lowering& l, std::string_view op, ArrayRef<Value*> operands) {
  const bool special = l.name.find(".sat") != std::string_view::npos || l.name.find(".relu") != std::string_view::npos;
  if (special) return nullptr;
  const char* rounding = rounding_of(l.name);
  if (rounding == nullptr) return nearest(l, op, operands);
  const char format = format_of(l.call.getType());
  if (format == '\0') return nullptr;
  std::string text = fmt::format("f{}.{} $0", op == "fma" ? "madd" : op, format);
  std::string constraints = "=f";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text += fmt::format(", ${}", i + 1);
    constraints += ",f";
  }
  return emit_asm(l.builder, text + ", " + rounding, constraints, l.call.getType(), operands, Effect::pure);
}

Value* extreme(const Lowering& l, Intrinsic::ID number_wins, Intrinsic::ID nan_wins) {
  if (l.name.find("xorsign") != std::string_view::npos) return nullptr;
  const bool nan = l.name.find(".nan") != std::string_view::npos;
  return l.builder.CreateBinaryIntrinsic(nan ? nan_wins : number_wins, l.arg(0), l.arg(1));
}

Value* unary(const Lowering& l, Intrinsic::ID id) { return l.builder.CreateUnaryIntrinsic(id, l.arg(0)); }

}  // namespace

/// Operands in the order of the row, each one word.
Value* integer(const Lowering& l) {
  SmallVector<Value*> operands;
  for (unsigned i = 0; i < l.call.arg_size(); ++i) operands.push_back(l.word(i));
  auto* type = l.call.getType();
  if (type->isVoidTy()) {
    emit_op(l.builder, l.row.op, type, operands);
    return nullptr;
  }
  return l.as(type, emit_op(l.builder, l.row.op, l.builder.getInt64Ty(), operands));
}

Value* multiply_high_signed(const Lowering& l) { return multiply_high(l, Instruction::SExt); }
Value* multiply_high_unsigned(const Lowering& l) { return multiply_high(l, Instruction::ZExt); }
Value* multiply_24_signed(const Lowering& l) { return l.builder.CreateMul(low_24(l, 0, true), low_24(l, 1, true)); }
Value* multiply_24_unsigned(const Lowering& l) { return l.builder.CreateMul(low_24(l, 0, false), low_24(l, 1, false)); }
Value* sad_signed(const Lowering& l) { return sad(l, CmpInst::ICMP_SGT); }
Value* sad_unsigned(const Lowering& l) { return sad(l, CmpInst::ICMP_UGT); }

Value* float_unary(const Lowering& l) {
  if (!l.call.getType()->isFloatTy()) return nullptr;
  return emit_op(l.builder, l.row.op, l.call.getType(), {l.arg(0)});
}

Value* divide(const Lowering& l) { return l.builder.CreateFDiv(l.arg(0), l.arg(1)); }
Value* divide_one(const Lowering& l) { return l.builder.CreateFDiv(ConstantFP::get(l.call.getType(), 1.0), l.arg(0)); }

Value* rsqrt_double(const Lowering& l) {
  return l.builder.CreateFDiv(ConstantFP::get(l.call.getType(), 1.0), unary(l, Intrinsic::sqrt));
}

Value* square_root(const Lowering& l) { return unary(l, Intrinsic::sqrt); }

Value* rounded(const Lowering& l) {
  SmallVector<Value*> operands(l.call.args());
  return rounded_op(l, l.row.name, operands);
}

Value* rounded_reciprocal(const Lowering& l) {
  return rounded_op(l, "div", {ConstantFP::get(l.call.getType(), 1.0), l.arg(0)});
}

Value* minimum(const Lowering& l) { return extreme(l, Intrinsic::minnum, Intrinsic::minimum); }
Value* maximum(const Lowering& l) { return extreme(l, Intrinsic::maxnum, Intrinsic::maximum); }
Value* absolute(const Lowering& l) { return unary(l, Intrinsic::fabs); }
Value* round_up(const Lowering& l) { return unary(l, Intrinsic::ceil); }
Value* round_down(const Lowering& l) { return unary(l, Intrinsic::floor); }
Value* round_to_zero(const Lowering& l) { return unary(l, Intrinsic::trunc); }
Value* round_to_even(const Lowering& l) { return unary(l, Intrinsic::roundeven); }

}  // namespace castor::compiler::lower
