// Floating-point operations of an emitter with one lane, all in integer arithmetic (gpu/semantics/fp).
#pragma once

#include <cstdint>

#include "gpu/semantics/emitter.h"
#include "gpu/semantics/fp/arithmetic.h"
#include "gpu/semantics/fp/compare.h"
#include "gpu/semantics/fp/convert.h"

namespace castor::hart {

namespace fp = semantics::fp;

template <class Format>
struct Float {
  using F = Format;
  fp::Bits<F> bits = 0;
};

/// `Self` has `Rm rounding(Rm)`, which resolves the dynamic mode, and `void raise(flags)`.
template <class Self>
class ScalarFloats {
 public:
  using Rm = semantics::Rm;
  using I64 = std::uint64_t;
  using F16 = Float<fp::Half>;
  using F32 = Float<fp::Single>;
  using F64 = Float<fp::Double>;

  template <class F>
  Float<F> fadd(Float<F> a, Float<F> b, Rm rm) {
    return rounded<F>(rm, fp::add<F>, a.bits, b.bits);
  }
  template <class F>
  Float<F> fsub(Float<F> a, Float<F> b, Rm rm) {
    return rounded<F>(rm, fp::subtract<F>, a.bits, b.bits);
  }
  template <class F>
  Float<F> fmul(Float<F> a, Float<F> b, Rm rm) {
    return rounded<F>(rm, fp::multiply<F>, a.bits, b.bits);
  }
  template <class F>
  Float<F> fdiv(Float<F> a, Float<F> b, Rm rm) {
    return rounded<F>(rm, fp::divide<F>, a.bits, b.bits);
  }
  template <class F>
  Float<F> fsqrt(Float<F> a, Rm rm) {
    return rounded<F>(rm, fp::square_root<F>, a.bits);
  }
  template <class F>
  Float<F> fmadd(Float<F> a, Float<F> b, Float<F> c, Rm rm) {
    return rounded<F>(rm, fp::fused_multiply_add<F>, a.bits, b.bits, c.bits);
  }
  template <class F>
  Float<F> fround(Float<F> a, Rm rm, bool inexact) {
    return rounded<F>(rm, fp::round_to_integral<F>, a.bits, inexact);
  }
  template <class F>
  static Float<F> fneg(Float<F> a) {
    return {static_cast<fp::Bits<F>>(a.bits ^ F::sign)};
  }

  template <class F>
  Float<F> fmin(Float<F> a, Float<F> b) {
    return {flagged(fp::minimum_number<F>, a.bits, b.bits)};
  }
  template <class F>
  Float<F> fmax(Float<F> a, Float<F> b) {
    return {flagged(fp::maximum_number<F>, a.bits, b.bits)};
  }
  template <class F>
  Float<F> fminm(Float<F> a, Float<F> b) {
    return {flagged(fp::minimum<F>, a.bits, b.bits)};
  }
  template <class F>
  Float<F> fmaxm(Float<F> a, Float<F> b) {
    return {flagged(fp::maximum<F>, a.bits, b.bits)};
  }
  template <class F>
  bool feq(Float<F> a, Float<F> b) {
    return flagged(fp::equal<F>, a.bits, b.bits);
  }
  template <class F>
  bool flt(Float<F> a, Float<F> b) {
    return flagged(fp::less<F>, a.bits, b.bits, fp::Quiet::no);
  }
  template <class F>
  bool fle(Float<F> a, Float<F> b) {
    return flagged(fp::less_equal<F>, a.bits, b.bits, fp::Quiet::no);
  }
  template <class F>
  bool fltq(Float<F> a, Float<F> b) {
    return flagged(fp::less<F>, a.bits, b.bits, fp::Quiet::yes);
  }
  template <class F>
  bool fleq(Float<F> a, Float<F> b) {
    return flagged(fp::less_equal<F>, a.bits, b.bits, fp::Quiet::yes);
  }
  template <class F>
  static I64 fclass(Float<F> a) {
    return fp::classify<F>(a.bits);
  }
  template <class F>
  static I64 bits(Float<F> a) {
    return a.bits;
  }

  static F16 as_f16(I64 x) { return {static_cast<std::uint16_t>(x)}; }
  static F32 as_f32(I64 x) { return {static_cast<std::uint32_t>(x)}; }
  static F64 as_f64(I64 x) { return {x}; }

  template <class F>
  I64 to_s32(Float<F> a, Rm rm) {
    return to_int<std::int32_t>(a, rm);
  }
  template <class F>
  I64 to_u32(Float<F> a, Rm rm) {
    return to_int<std::uint32_t>(a, rm);
  }
  template <class F>
  I64 to_s64(Float<F> a, Rm rm) {
    return to_int<std::int64_t>(a, rm);
  }
  template <class F>
  I64 to_u64(Float<F> a, Rm rm) {
    return to_int<std::uint64_t>(a, rm);
  }
  I64 to_s32_modular(F64 a) { return static_cast<I64>(std::int64_t{flagged(fp::to_int32_modular, a.bits)}); }

  F16 f16_from_s32(I64 x, Rm rm) { return from_int<fp::Half, std::int32_t>(x, rm); }
  F16 f16_from_u32(I64 x, Rm rm) { return from_int<fp::Half, std::uint32_t>(x, rm); }
  F16 f16_from_s64(I64 x, Rm rm) { return from_int<fp::Half, std::int64_t>(x, rm); }
  F16 f16_from_u64(I64 x, Rm rm) { return from_int<fp::Half, std::uint64_t>(x, rm); }
  F32 f32_from_s32(I64 x, Rm rm) { return from_int<fp::Single, std::int32_t>(x, rm); }
  F32 f32_from_u32(I64 x, Rm rm) { return from_int<fp::Single, std::uint32_t>(x, rm); }
  F32 f32_from_s64(I64 x, Rm rm) { return from_int<fp::Single, std::int64_t>(x, rm); }
  F32 f32_from_u64(I64 x, Rm rm) { return from_int<fp::Single, std::uint64_t>(x, rm); }
  F64 f64_from_s32(I64 x, Rm rm) { return from_int<fp::Double, std::int32_t>(x, rm); }
  F64 f64_from_u32(I64 x, Rm rm) { return from_int<fp::Double, std::uint32_t>(x, rm); }
  F64 f64_from_s64(I64 x, Rm rm) { return from_int<fp::Double, std::int64_t>(x, rm); }
  F64 f64_from_u64(I64 x, Rm rm) { return from_int<fp::Double, std::uint64_t>(x, rm); }

  F32 f32_from_f16(F16 a, Rm rm) { return rounded<fp::Single>(rm, fp::convert<fp::Single, fp::Half>, a.bits); }
  F64 f64_from_f16(F16 a, Rm rm) { return rounded<fp::Double>(rm, fp::convert<fp::Double, fp::Half>, a.bits); }
  F64 f64_from_f32(F32 a, Rm rm) { return rounded<fp::Double>(rm, fp::convert<fp::Double, fp::Single>, a.bits); }
  F32 f32_from_bf16(I64 a, Rm rm) {
    return rounded<fp::Single>(rm, fp::convert<fp::Single, fp::Bfloat>, static_cast<std::uint16_t>(a));
  }
  F16 f16_from_f32(F32 a, Rm rm) { return rounded<fp::Half>(rm, fp::convert<fp::Half, fp::Single>, a.bits); }
  F16 f16_from_f64(F64 a, Rm rm) { return rounded<fp::Half>(rm, fp::convert<fp::Half, fp::Double>, a.bits); }
  F32 f32_from_f64(F64 a, Rm rm) { return rounded<fp::Single>(rm, fp::convert<fp::Single, fp::Double>, a.bits); }
  I64 bf16_from_f32(F32 a, Rm rm) { return rounded<fp::Bfloat>(rm, fp::convert<fp::Bfloat, fp::Single>, a.bits).bits; }

  // Round to nearest even, no flags.
  static F32 raw_add(F32 a, F32 b) { return {raw(fp::add<fp::Single>, a.bits, b.bits)}; }
  static F32 raw_sub(F32 a, F32 b) { return {raw(fp::subtract<fp::Single>, a.bits, b.bits)}; }
  static F32 raw_mul(F32 a, F32 b) { return {raw(fp::multiply<fp::Single>, a.bits, b.bits)}; }
  static F32 raw_div(F32 a, F32 b) { return {raw(fp::divide<fp::Single>, a.bits, b.bits)}; }
  static F32 raw_fma(F32 a, F32 b, F32 c) { return {raw(fp::fused_multiply_add<fp::Single>, a.bits, b.bits, c.bits)}; }
  static F32 raw_sqrt(F32 a) { return {raw(fp::square_root<fp::Single>, a.bits)}; }
  static bool raw_lt(F32 a, F32 b) { return raw(fp::less<fp::Single>, a.bits, b.bits, fp::Quiet::yes); }
  static bool raw_eq(F32 a, F32 b) { return raw(fp::equal<fp::Single>, a.bits, b.bits); }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  template <class Function, class... Args>
  static auto raw(Function function, Args... args) {
    fp::Env env;
    return function(args..., env);
  }
  template <class Function, class... Args>
  auto in_env(fp::Env env, Function function, Args... args) {
    const auto result = function(args..., env);
    self().raise(env.flags);
    return result;
  }
  /// An operation that raises flags but does not round.
  template <class Function, class... Args>
  auto flagged(Function function, Args... args) {
    return in_env({}, function, args...);
  }
  template <class F, class Function, class... Args>
  Float<F> rounded(Rm rm, Function function, Args... args) {
    return {in_env({.rm = self().rounding(rm)}, function, args...)};
  }
  /// 32-bit results come sign-extended, unsigned ones too.
  template <class Integer, class F>
  I64 to_int(Float<F> a, Rm rm) {
    const Integer value = in_env({.rm = self().rounding(rm)}, fp::to_integer<Integer, F>, a.bits);
    return static_cast<I64>(static_cast<std::int64_t>(static_cast<std::make_signed_t<Integer>>(value)));
  }
  template <class F, class Integer>
  Float<F> from_int(I64 x, Rm rm) {
    return rounded<F>(rm, fp::from_integer<F, Integer>, static_cast<Integer>(x));
  }
};

}  // namespace castor::hart
