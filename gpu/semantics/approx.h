// The approximate functions: one bit-exact definition for all engines. Only IEEE operations that are the same on every host
// (add, sub, mul, div, sqrt, fma, comparisons) and bit operations; no branches. Bounds: gpu/isa/xcastor.inc; the test
// measures them. They raise no flags.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>

#include "gpu/semantics/emitter.h"

namespace castor::semantics::approx {

/// f32 arithmetic of one emitter, short enough to write a polynomial with.
template <class E>
struct F {
  using F32 = typename E::F32;
  using I64 = typename E::I64;
  using Bool = typename E::Bool;
  E& e;

  F32 k(float value) const { return e.as_f32(e.i64(std::bit_cast<std::uint32_t>(value))); }
  F32 abs(F32 x) const { return e.as_f32(e.and_(e.bits(x), e.i64(0x7fff'ffff))); }
  F32 with_sign(F32 magnitude, I64 sign) const { return e.as_f32(e.or_(e.bits(magnitude), sign)); }
  I64 sign(F32 x) const { return e.and_(e.bits(x), e.i64(0x8000'0000)); }
  /// Nearest integer of |x| < 2^22, ties to even, as a float and in the low bits of the second value (two's complement, 32 bits).
  std::pair<F32, I64> nearest(F32 x) const {
    const F32 shifted = e.raw_add(x, k(12582912.0f));  // 1.5 * 2^23: the sum's last place is 1
    return {e.raw_sub(shifted, k(12582912.0f)), e.sub(e.bits(shifted), e.i64(0x4b40'0000))};
  }
  /// 2^n for -126 <= n <= 127.
  F32 power(I64 n) const { return e.as_f32(e.shl(e.zext32(e.add(n, e.i64(127))), e.i64(23))); }
  F32 canonical(F32 x) const { return e.select(e.raw_eq(x, x), x, e.as_f32(e.i64(0x7fc0'0000))); }

  template <std::size_t N>
  F32 polynomial(F32 x, const float (&highest_first)[N]) const {
    F32 sum = k(highest_first[0]);
    for (std::size_t i = 1; i < N; ++i) sum = e.raw_fma(sum, x, k(highest_first[i]));
    return sum;
  }
};

template <class E>
[[gnu::always_inline]] inline typename E::F32 rcp(E& e, typename E::F32 x) {
  const F<E> f{e};
  return f.canonical(e.raw_div(f.k(1.0f), x));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 sqrt(E& e, typename E::F32 x) {
  return F<E>{e}.canonical(e.raw_sqrt(x));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 rsqrt(E& e, typename E::F32 x) {
  const F<E> f{e};
  return f.canonical(e.raw_div(f.k(1.0f), e.raw_sqrt(x)));
}

/// 2^f for |f| <= 1/2: Taylor series of exp(f ln 2); the next term is below 2^-27.
template <class E>
[[gnu::always_inline]] inline typename E::F32 ex2_core(E& e, typename E::F32 x) {
  const F<E> f{e};
  return f.polynomial(x, {1.52527338e-5f, 1.54035304e-4f, 1.33335581e-3f, 9.61812911e-3f, 5.55041087e-2f,
                          2.40226507e-1f, 6.93147181e-1f, 1.0f});
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 ex2(E& e, typename E::F32 x) {
  const F<E> f{e};
  // Outside these limits the result is 0 or infinity anyway. A NaN passes both.
  typename E::F32 limited = e.select(e.raw_lt(x, f.k(-152.0f)), f.k(-152.0f), x);
  limited = e.select(e.raw_lt(f.k(129.0f), limited), f.k(129.0f), limited);
  const auto [whole, n] = f.nearest(limited);
  const typename E::F32 fraction = ex2_core(e, e.raw_sub(limited, whole));
  // 2^n in two factors, since n may lie outside the range of normal exponents.
  const typename E::I64 wide = e.sext32(n), half = e.sar(wide, e.i64(1));
  return f.canonical(e.raw_mul(e.raw_mul(fraction, f.power(half)), f.power(e.sub(wide, half))));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 lg2(E& e, typename E::F32 x) {
  using F32 = typename E::F32;
  using I64 = typename E::I64;
  const F<E> f{e};
  const typename E::Bool tiny = e.raw_lt(x, f.k(1.17549435e-38f));
  const I64 bits = e.bits(e.select(tiny, e.raw_mul(x, f.k(8388608.0f)), x));
  // m in [sqrt(1/2), sqrt(2)): 0x3f3504f3 is sqrt(1/2).
  const I64 exponent = e.sar(e.sext32(e.sub(bits, e.i64(0x3f35'04f3))), e.i64(23));
  const F32 m = e.as_f32(e.zext32(e.sub(bits, e.shl(exponent, e.i64(23)))));
  const I64 power = e.sub(exponent, e.select(tiny, e.i64(23), e.i64(0)));
  const F32 whole = e.raw_sub(e.as_f32(e.zext32(e.add(power, e.i64(0x4b40'0000)))), f.k(12582912.0f));
  // log2 m = 2/ln 2 * atanh s, s = (m - 1) / (m + 1), |s| < 0.1716.
  const F32 s = e.raw_div(e.raw_sub(m, f.k(1.0f)), e.raw_add(m, f.k(1.0f))), z = e.raw_mul(s, s);
  const F32 tail = f.polynomial(z, {0.320598898f, 0.412198583f, 0.577078016f, 0.961796694f});
  const F32 fine = e.raw_fma(e.raw_mul(s, z), tail, e.raw_fma(s, f.k(2.88539008f), e.raw_mul(s, f.k(3.8519603e-8f))));
  F32 result = e.raw_add(whole, fine);
  result = e.select(e.raw_lt(x, f.k(std::bit_cast<float>(0x7f80'0000u))), result, x);  // infinity and NaN
  result = e.select(e.raw_lt(x, f.k(0.0f)), f.k(std::bit_cast<float>(0x7fc0'0000u)), result);
  result = e.select(e.raw_eq(x, f.k(0.0f)), f.k(std::bit_cast<float>(0xff80'0000u)), result);
  return f.canonical(result);
}

/// Sine of x + quadrant * pi/2. Beyond 2^20 the reduction has no digits left: zero phase there, NaN for infinities.
template <class E>
[[gnu::always_inline]] inline typename E::F32 sine(E& e, typename E::F32 x, std::uint64_t quadrant) {
  using F32 = typename E::F32;
  const F<E> f{e};
  const typename E::Bool in_reach = e.raw_lt(f.abs(x), f.k(1048576.0f));
  const F32 argument = e.select(in_reach, x, e.raw_sub(x, x));
  const auto [whole, n] = f.nearest(e.raw_mul(argument, f.k(0.636619772f)));
  const F32 minus = e.raw_sub(f.k(0.0f), whole);
  F32 r = e.raw_fma(minus, f.k(1.57079637f), argument);  // pi/2 in three pieces
  r = e.raw_fma(minus, f.k(-4.37113883e-8f), r);
  r = e.raw_fma(minus, f.k(-1.71512449e-15f), r);
  const F32 z = e.raw_mul(r, r);
  const F32 odd = e.raw_fma(e.raw_mul(r, z),
                            f.polynomial(z, {2.75573192e-6f, -1.98412698e-4f, 8.33333377e-3f, -1.66666672e-1f}), r);
  const F32 even = f.polynomial(z, {2.48015876e-5f, -1.38888892e-3f, 4.16666679e-2f, -0.5f, 1.0f});
  const typename E::I64 turn = e.add(n, e.i64(quadrant));
  const typename E::Bool cosine = e.ne(e.and_(turn, e.i64(1)), e.i64(0));
  const F32 value = e.select(cosine, even, odd);
  return f.canonical(e.as_f32(e.xor_(e.bits(value), e.shl(e.and_(turn, e.i64(2)), e.i64(30)))));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 sin(E& e, typename E::F32 x) {
  const F<E> f{e};
  // The reduction loses the sign of zero.
  return e.select(e.raw_eq(x, f.k(0.0f)), x, sine(e, x, 0));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 cos(E& e, typename E::F32 x) {
  return sine(e, x, 1);
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 tanh(E& e, typename E::F32 x) {
  using F32 = typename E::F32;
  const F<E> f{e};
  const F32 size = f.abs(x), z = e.raw_mul(x, x);
  const F32 series = f.polynomial(z, {2.18694885e-2f, -5.39682540e-2f, 1.33333333e-1f, -3.33333333e-1f, 1.0f});
  // 1 - 2 / (exp(2|x|) + 1)
  const F32 power = ex2(e, e.raw_mul(size, f.k(2.88539008f)));
  const F32 large = e.raw_sub(f.k(1.0f), e.raw_div(f.k(2.0f), e.raw_add(power, f.k(1.0f))));
  const F32 magnitude = e.select(e.raw_lt(size, f.k(0.5f)), e.raw_mul(size, series), large);
  return f.canonical(f.with_sign(magnitude, f.sign(x)));
}

template <class E>
[[gnu::always_inline]] inline typename E::F32 sat(E& e, typename E::F32 x) {
  const F<E> f{e};
  const typename E::F32 positive = e.select(e.raw_lt(f.k(0.0f), x), x, f.k(0.0f));
  return e.select(e.raw_lt(positive, f.k(1.0f)), positive, f.k(1.0f));
}

}  // namespace castor::semantics::approx
