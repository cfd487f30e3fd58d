// The floating-point half of the interpreter's emitter. Two kinds: the fast one rounds to nearest even on the host's vector
// unit and keeps no flags; the exact one goes lane by lane through gpu/semantics/fp. Which kind an instruction gets is
// decided when it is decoded (code_cache.h): flags are kept wherever the program can see them.
#pragma once

#include "gpu/semantics/emitter.h"
#include "gpu/sm/simd_integer.h"

namespace castor::sm::CASTOR_LEVEL {

using semantics::Rm;

/// What all parts of the emitter share.
template <bool All>
struct EmitterState : IntegerOps {
  Exec& x;
  bool stopped = false;  // a fault or a wait: ignore writes
  CASTOR_INLINE explicit EmitterState(Exec& exec) : x(exec) {}
  CASTOR_INLINE LaneMask mask() const { return All ? kAllLanes : x.mask; }

  template <class Row, class Vector>
  CASTOR_INLINE void write(Row* row, Vector value) {
    if constexpr (All) {
      store_row(row, value);
    } else {
      store_row(row, choose(from_bits(x.mask), value, load_row<Vector>(row)));
    }
  }
};

template <bool All, bool Exact>
struct FloatOps : EmitterState<All> {
  using Base = EmitterState<All>;
  using Base::Base, Base::x, Base::i64, Base::i32, Base::mask;
  using I64 = U64;
  using I32 = U32;
  using F16 = CASTOR_LEVEL::F16;
  using F32 = CASTOR_LEVEL::F32;
  using F64 = CASTOR_LEVEL::F64;

  // Registers: the low and the high words lie in planes of their own, so that singles need no unpacking.
  CASTOR_INLINE F32 freg32(unsigned n) {
    const U32 low = load_row<U32>(x.f_low[n]);
    return cast<F32>(choose(this->eq(load_row<U32>(x.f_high[n]), i32(~0u)), low, i32(0x7fc0'0000)));
  }
  CASTOR_INLINE I64 freg_bits(unsigned n) {
    return convert<U64>(load_row<U32>(x.f_low[n])) | convert<U64>(load_row<U32>(x.f_high[n])) << 32;
  }
  CASTOR_INLINE F64 freg64(unsigned n) { return cast<F64>(freg_bits(n)); }
  CASTOR_INLINE F16 freg16(unsigned n) {
    const U32 low = load_row<U32>(x.f_low[n]);
    const Bool boxed =
        this->logical_and(this->eq(load_row<U32>(x.f_high[n]), i32(~0u)), this->eq(low >> 16, i32(0xffff)));
    return {convert<U16>(choose(boxed, low, i32(0x7e00)))};
  }
  CASTOR_INLINE void fset_words(unsigned n, U32 low, U32 high) {
    if (this->stopped) return;
    Base::write(x.f_low[n], low);
    Base::write(x.f_high[n], high);
  }
  CASTOR_INLINE void fset_bits(unsigned n, I64 v) { fset_words(n, convert<U32>(v), convert<U32>(v >> 32)); }
  CASTOR_INLINE void fset(unsigned n, F16 v) { fset_words(n, convert<U32>(v.bits) | 0xffff'0000u, i32(~0u)); }
  CASTOR_INLINE void fset(unsigned n, F32 v) { fset_words(n, cast<U32>(v), i32(~0u)); }
  CASTOR_INLINE void fset(unsigned n, F64 v) { fset_bits(n, cast<U64>(v)); }

  CASTOR_INLINE F16 as_f16(I64 v) { return {convert<U16>(v)}; }
  CASTOR_INLINE F32 as_f32(I64 v) { return cast<F32>(convert<U32>(v)); }
  CASTOR_INLINE F64 as_f64(I64 v) { return cast<F64>(v); }
  CASTOR_INLINE I64 bits(F16 v) { return convert<U64>(v.bits); }
  CASTOR_INLINE I64 bits(F32 v) { return convert<U64>(cast<U32>(v)); }
  CASTOR_INLINE I64 bits(F64 v) { return cast<U64>(v); }
  CASTOR_INLINE I64 select(Bool p, I64 a, I64 b) { return choose(p, a, b); }
  CASTOR_INLINE I32 select(Bool p, I32 a, I32 b) { return choose(p, a, b); }
  CASTOR_INLINE F32 select(Bool p, F32 a, F32 b) { return choose(p, a, b); }
  CASTOR_INLINE F64 select(Bool p, F64 a, F64 b) { return choose(p, a, b); }
  CASTOR_INLINE F16 select(Bool p, F16 a, F16 b) { return {choose(p, a.bits, b.bits)}; }
  CASTOR_INLINE F16 fneg(F16 v) { return {v.bits ^ static_cast<std::uint16_t>(0x8000)}; }
  CASTOR_INLINE F32 fneg(F32 v) { return cast<F32>(cast<U32>(v) ^ 0x8000'0000u); }
  CASTOR_INLINE F64 fneg(F64 v) { return cast<F64>(cast<U64>(v) ^ 0x8000'0000'0000'0000ull); }

  // The exact way, also for what has no fast one (all of F16).
  static constexpr FloatFormat format(F16) { return FloatFormat::f16; }
  static constexpr FloatFormat format(F32) { return FloatFormat::f32; }
  static constexpr FloatFormat format(F64) { return FloatFormat::f64; }
  CASTOR_INLINE I64 lanes(FloatOp op, FloatFormat f, Rm rm, I64 a, I64 b, I64 c) {
    FloatOperands v;
    store_row(v.a, a);
    store_row(v.b, b);
    store_row(v.c, c);
    if (!exact_float(x, op, f, static_cast<unsigned>(rm), mask(), v, !Exact)) this->stopped = true;
    return load_row<U64>(v.result);
  }
  template <class F>
  CASTOR_INLINE I64 lanes(FloatOp op, Rm rm, F a, F b, F c) {
    return lanes(op, format(a), rm, bits(a), bits(b), bits(c));
  }
  template <class F>
  CASTOR_INLINE F value(I64 v) {
    if constexpr (sizeof(F) == sizeof(F16))
      return as_f16(v);
    else if constexpr (sizeof(F) == sizeof(F32))
      return as_f32(v);
    else
      return as_f64(v);
  }
  template <class F>
  static constexpr bool fast = !Exact && sizeof(F) != sizeof(F16);

  CASTOR_INLINE F32 canonical(F32 v) { return choose(truth(v == v), v, cast<F32>(i32(0x7fc0'0000))); }
  CASTOR_INLINE F64 canonical(F64 v) { return choose(truth(v == v), v, cast<F64>(i64(0x7ff8'0000'0000'0000ull))); }

// name(a, b), on the vector unit as `expression`
#define CASTOR_FLOAT_BINARY(name, op, expression)       \
  template <class F>                                    \
  CASTOR_INLINE F name(F a, F b, Rm rm) {               \
    if constexpr (fast<F>)                              \
      return canonical(expression);                     \
    else                                                \
      return value<F>(lanes(FloatOp::op, rm, a, b, b)); \
  }
  CASTOR_FLOAT_BINARY(fadd, add, a + b)
  CASTOR_FLOAT_BINARY(fsub, sub, a - b)
  CASTOR_FLOAT_BINARY(fmul, mul, a* b)
  CASTOR_FLOAT_BINARY(fdiv, div, a / b)
#undef CASTOR_FLOAT_BINARY
  template <class F>
  CASTOR_INLINE F fsqrt(F a, Rm rm) {
    if constexpr (fast<F>)
      return canonical(__builtin_elementwise_sqrt(a));
    else
      return value<F>(lanes(FloatOp::sqrt, rm, a, a, a));
  }
  template <class F>
  CASTOR_INLINE F fmadd(F a, F b, F c, Rm rm) {
    if constexpr (fast<F>)
      return canonical(__builtin_elementwise_fma(a, b, c));
    else
      return value<F>(lanes(FloatOp::fma, rm, a, b, c));
  }

  // For equal operands (zeros of either sign among them) the signs are joined by `zeros`.
#define CASTOR_FLOAT_EXTREME(name, op, smaller, zeros, nan_wins) \
  template <class F>                                             \
  CASTOR_INLINE F name(F a, F b) {                               \
    if constexpr (fast<F>) {                                     \
      const F picked = choose(truth(smaller), a, b);             \
      const F joined = value<F>(bits(a) zeros bits(b));          \
      const F number = choose(truth(a == b), joined, picked);    \
      if constexpr (nan_wins)                                    \
        return canonical(choose(truth(a == a), number, a));      \
      else                                                       \
        return canonical(choose(truth(b == b), number, a));      \
    } else {                                                     \
      return value<F>(lanes(FloatOp::op, Rm::rne, a, b, b));     \
    }                                                            \
  }
  CASTOR_FLOAT_EXTREME(fmin, min, a < b, |, false)
  CASTOR_FLOAT_EXTREME(fmax, max, a > b, &, false)
  CASTOR_FLOAT_EXTREME(fminm, minm, a < b, |, true)
  CASTOR_FLOAT_EXTREME(fmaxm, maxm, a > b, &, true)
#undef CASTOR_FLOAT_EXTREME

#define CASTOR_FLOAT_COMPARE(name, op, expression)                   \
  template <class F>                                                 \
  CASTOR_INLINE Bool name(F a, F b) {                                \
    if constexpr (fast<F>)                                           \
      return truth(expression);                                      \
    else                                                             \
      return this->ne(lanes(FloatOp::op, Rm::rne, a, b, b), i64(0)); \
  }
  CASTOR_FLOAT_COMPARE(feq, eq, a == b)
  CASTOR_FLOAT_COMPARE(flt, lt, a < b)
  CASTOR_FLOAT_COMPARE(fle, le, a <= b)
  CASTOR_FLOAT_COMPARE(fltq, ltq, a < b)
  CASTOR_FLOAT_COMPARE(fleq, leq, a <= b)
#undef CASTOR_FLOAT_COMPARE

  /// Magnitude bits, infinity's and the quiet bit decide; no arithmetic.
  CASTOR_INLINE I64 classify(I64 v, std::uint64_t sign, std::uint64_t infinity, std::uint64_t quiet) {
    const I64 magnitude = v & i64(sign - 1),
              from_infinity =
                  choose(this->eq(magnitude, i64(infinity)), i64(0),
                         choose(this->eq(magnitude, i64(0)), i64(3),
                                choose(this->ltu(magnitude, i64(infinity & (0 - infinity))), i64(2), i64(1))));
    const Bool negative = this->ne(v & i64(sign), i64(0));
    const I64 number = i64(1) << choose(negative, from_infinity, i64(7) - from_infinity);
    const I64 nan = choose(this->ne(v & i64(quiet), i64(0)), i64(1u << 9), i64(1u << 8));
    return choose(this->ltu(i64(infinity), magnitude), nan, number);
  }
  CASTOR_INLINE I64 fclass(F16 a) { return classify(bits(a), 0x8000, 0x7c00, 0x200); }
  CASTOR_INLINE I64 fclass(F32 a) { return classify(bits(a), 0x8000'0000, 0x7f80'0000, 0x40'0000); }
  CASTOR_INLINE I64 fclass(F64 a) { return classify(bits(a), 1ull << 63, 0x7ffull << 52, 1ull << 51); }

  /// To an integral value; `dynamic` is to nearest where flags are not kept (nobody has written frm).
  template <class F>
  CASTOR_INLINE F integral(F a, Rm rm) {
    switch (rm) {
      case Rm::rtz: return __builtin_elementwise_trunc(a);
      case Rm::rdn: return __builtin_elementwise_floor(a);
      case Rm::rup: return __builtin_elementwise_ceil(a);
      case Rm::rmm: return __builtin_elementwise_round(a);
      default: return __builtin_elementwise_roundeven(a);
    }
  }
  template <class F>
  CASTOR_INLINE F fround(F a, Rm rm, bool inexact) {
    if constexpr (fast<F>)
      return canonical(integral(a, rm));
    else
      return value<F>(lanes(inexact ? FloatOp::round_inexact : FloatOp::round, rm, a, a, a));
  }

  /// Saturating: `low` and `high` are the limits as floats (`high` one past the largest).
  template <class Integer, class F>
  CASTOR_INLINE Integer saturate(F a, Rm rm, F low, F high, Integer least, Integer most) {
    const F whole = integral(a, rm);
    const Bool inside = this->logical_and(truth(whole >= low), truth(whole < high));
    const Integer number = convert<Integer>(choose(inside, whole, F{}));
    return choose(inside, number, choose(truth(whole < low), least, most));
  }
#define CASTOR_FLOAT_TO(name, op, Integer, limit_low, limit_high, least, most, extend)                            \
  template <class F>                                                                                              \
  CASTOR_INLINE I64 name(F a, Rm rm) {                                                                            \
    if constexpr (fast<F>) {                                                                                      \
      return extend(saturate<Integer, F>(a, rm, splat<F>(limit_low), splat<F>(limit_high), splat<Integer>(least), \
                                         splat<Integer>(most)));                                                  \
    } else {                                                                                                      \
      return lanes(FloatOp::op, rm, a, a, a);                                                                     \
    }                                                                                                             \
  }
  CASTOR_FLOAT_TO(to_s32, to_s32, S32, -2147483648.0f, 2147483648.0f, INT32_MIN, INT32_MAX, widen)
  CASTOR_FLOAT_TO(to_u32, to_u32, U32, 0.0f, 4294967296.0f, 0u, UINT32_MAX, widen)
  CASTOR_FLOAT_TO(to_s64, to_s64, S64, -9223372036854775808.0f, 9223372036854775808.0f, INT64_MIN, INT64_MAX, widen)
  CASTOR_FLOAT_TO(to_u64, to_u64, U64, 0.0f, 18446744073709551616.0f, 0ull, UINT64_MAX, widen)
#undef CASTOR_FLOAT_TO
  CASTOR_INLINE I64 widen(S32 v) { return cast<U64>(convert<S64>(v)); }
  CASTOR_INLINE I64 widen(U32 v) { return cast<U64>(convert<S64>(cast<S32>(v))); }
  CASTOR_INLINE I64 widen(S64 v) { return cast<U64>(v); }
  CASTOR_INLINE I64 widen(U64 v) { return v; }
  CASTOR_INLINE I64 to_s32_modular(F64 a) { return lanes(FloatOp::to_s32_modular, Rm::rtz, a, a, a); }

#define CASTOR_FLOAT_FROM(F, name, op, source)                       \
  CASTOR_INLINE F name(I64 v, Rm rm) {                               \
    if constexpr (fast<F>)                                           \
      return convert<F>(source);                                     \
    else                                                             \
      return value<F>(lanes(FloatOp::op, format(F{}), rm, v, v, v)); \
  }
#define CASTOR_FLOAT_FROM_ALL(F, prefix)                                        \
  CASTOR_FLOAT_FROM(F, prefix##_from_s32, from_s32, cast<S32>(convert<U32>(v))) \
  CASTOR_FLOAT_FROM(F, prefix##_from_u32, from_u32, convert<U32>(v))            \
  CASTOR_FLOAT_FROM(F, prefix##_from_s64, from_s64, cast<S64>(v))               \
  CASTOR_FLOAT_FROM(F, prefix##_from_u64, from_u64, v)
  CASTOR_FLOAT_FROM_ALL(F32, f32)
  CASTOR_FLOAT_FROM_ALL(F64, f64)
#undef CASTOR_FLOAT_FROM_ALL
#undef CASTOR_FLOAT_FROM
  CASTOR_INLINE F16 f16_from_s32(I64 v, Rm rm) {
    return as_f16(lanes(FloatOp::from_s32, FloatFormat::f16, rm, v, v, v));
  }
  CASTOR_INLINE F16 f16_from_u32(I64 v, Rm rm) {
    return as_f16(lanes(FloatOp::from_u32, FloatFormat::f16, rm, v, v, v));
  }
  CASTOR_INLINE F16 f16_from_s64(I64 v, Rm rm) {
    return as_f16(lanes(FloatOp::from_s64, FloatFormat::f16, rm, v, v, v));
  }
  CASTOR_INLINE F16 f16_from_u64(I64 v, Rm rm) {
    return as_f16(lanes(FloatOp::from_u64, FloatFormat::f16, rm, v, v, v));
  }

  CASTOR_INLINE F64 f64_from_f32(F32 v, Rm rm) {
    if constexpr (!Exact)
      return canonical(convert<F64>(v));
    else
      return as_f64(lanes(FloatOp::to_f64, rm, v, v, v));
  }
  CASTOR_INLINE F32 f32_from_f64(F64 v, Rm rm) {
    if constexpr (!Exact)
      return canonical(convert<F32>(v));
    else
      return as_f32(lanes(FloatOp::to_f32, rm, v, v, v));
  }
  CASTOR_INLINE F32 f32_from_f16(F16 v, Rm rm) { return as_f32(lanes(FloatOp::to_f32, rm, v, v, v)); }
  CASTOR_INLINE F64 f64_from_f16(F16 v, Rm rm) { return as_f64(lanes(FloatOp::to_f64, rm, v, v, v)); }
  CASTOR_INLINE F16 f16_from_f32(F32 v, Rm rm) { return as_f16(lanes(FloatOp::to_f16, rm, v, v, v)); }
  CASTOR_INLINE F16 f16_from_f64(F64 v, Rm rm) { return as_f16(lanes(FloatOp::to_f16, rm, v, v, v)); }
  CASTOR_INLINE F32 f32_from_bf16(I64 v, Rm rm) {
    return as_f32(lanes(FloatOp::to_f32, FloatFormat::bf16, rm, v, v, v));
  }
  CASTOR_INLINE I64 bf16_from_f32(F32 v, Rm rm) { return lanes(FloatOp::to_bf16, rm, v, v, v); }

  CASTOR_INLINE F32 raw_add(F32 a, F32 b) { return a + b; }
  CASTOR_INLINE F32 raw_sub(F32 a, F32 b) { return a - b; }
  CASTOR_INLINE F32 raw_mul(F32 a, F32 b) { return a * b; }
  CASTOR_INLINE F32 raw_div(F32 a, F32 b) { return a / b; }
  CASTOR_INLINE F32 raw_fma(F32 a, F32 b, F32 c) { return __builtin_elementwise_fma(a, b, c); }
  CASTOR_INLINE F32 raw_sqrt(F32 a) { return __builtin_elementwise_sqrt(a); }
  CASTOR_INLINE Bool raw_lt(F32 a, F32 b) { return truth(a < b); }
  CASTOR_INLINE Bool raw_eq(F32 a, F32 b) { return truth(a == b); }
};

}  // namespace castor::sm::CASTOR_LEVEL
