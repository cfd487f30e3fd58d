// Handlers: conversions between numbers, with the rounding that the name says, and between bits.
#include <fmt/format.h>

#include "compiler/nvvm/lowering.h"

namespace castor::compiler::lower {
namespace {

using namespace llvm;

const char* rounding(const Lowering& l) {
  const auto has = [&l](std::string_view token) { return l.name.find(token) != std::string_view::npos; };
  if (has(".rz")) return "rtz";
  if (has(".rm")) return "rdn";
  return has(".rp") ? "rup" : "rne";
}

char float_letter(const Type* type) { return type->isDoubleTy() ? 'd' : 's'; }

/// "w", "wu", "l", "lu" from "i", "ui", "ll", "ull" at the start of `text`.
std::string_view integer_letters(std::string_view text) {
  if (text.starts_with("ull")) return "lu";
  if (text.starts_with("ui")) return "wu";
  return text.starts_with("ll") ? "l" : "w";
}

}  // namespace

/// PTX saturates as RISC-V does, but gives 0 for NaN.
Value* float_to_int(const Lowering& l) {
  auto* source = l.arg(0);
  const auto text = fmt::format("fcvt.{}.{} $0, $1, {}", integer_letters(l.name.substr(2)),
                                float_letter(source->getType()), rounding(l));
  auto* word = emit_asm(l.builder, text, "=r,f", l.builder.getInt64Ty(), {source}, Effect::pure);
  auto* is_nan = l.builder.CreateFCmpUNO(source, source);
  return l.as(l.call.getType(), l.builder.CreateSelect(is_nan, l.builder.getInt64(0), word));
}

Value* int_to_float(const Lowering& l) {
  const auto text =
      fmt::format("fcvt.{}.{} $0, $1, {}", float_letter(l.call.getType()), integer_letters(l.name), rounding(l));
  // i32 to double is exact: the instruction takes no rounding mode then.
  const bool exact = l.call.getType()->isDoubleTy() && l.arg(0)->getType()->isIntegerTy(32);
  return emit_asm(l.builder, exact ? text.substr(0, text.rfind(',')) : text, "=f,r", l.call.getType(), {l.word(0)},
                  Effect::pure);
}

Value* double_to_float(const Lowering& l) {
  return emit_asm(l.builder, fmt::format("fcvt.s.d $0, $1, {}", rounding(l)), "=f,f", l.call.getType(), {l.arg(0)},
                  Effect::pure);
}

Value* double_high(const Lowering& l) {
  auto* bits = l.builder.CreateBitCast(l.arg(0), l.builder.getInt64Ty());
  return l.builder.CreateTrunc(l.builder.CreateLShr(bits, 32), l.builder.getInt32Ty());
}

Value* double_low(const Lowering& l) {
  return l.builder.CreateTrunc(l.builder.CreateBitCast(l.arg(0), l.builder.getInt64Ty()), l.builder.getInt32Ty());
}

/// (low, high)
Value* double_of_words(const Lowering& l) {
  auto* low = l.builder.CreateZExt(l.arg(0), l.builder.getInt64Ty());
  auto* high = l.builder.CreateShl(l.builder.CreateZExt(l.arg(1), l.builder.getInt64Ty()), 32);
  return l.builder.CreateBitCast(l.builder.CreateOr(high, low), l.call.getType());
}

Value* bit_cast(const Lowering& l) { return l.builder.CreateBitCast(l.arg(0), l.call.getType()); }

Value* float_to_half(const Lowering& l) {
  auto* half = l.builder.CreateFPTrunc(l.arg(0), l.builder.getHalfTy());
  return l.builder.CreateBitCast(half, l.call.getType());
}

}  // namespace castor::compiler::lower
