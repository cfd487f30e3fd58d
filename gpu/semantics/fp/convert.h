// Conversions among formats and to and from integers, rounding to integral values.
#pragma once

#include <limits>
#include <type_traits>

#include "gpu/semantics/fp/round.h"

namespace castor::semantics::fp {

template <class To, class From>
Bits<To> convert(Bits<From> a, Env& env) {
  if (is_nan<From>(a)) {
    if (is_signalling<From>(a)) env.raise(kInvalid);
    return To::nan;
  }
  if (is_inf<From>(a)) return inf<To>(is_negative<From>(a));
  if (is_zero<From>(a)) return zero<To>(is_negative<From>(a));
  return pack<To>(unpack<From>(a), false, env);
}

template <class F, class Integer>
Bits<F> from_integer(Integer value, Env& env) {
  if (value == 0) return 0;
  const bool negative = value < 0;
  const auto wide = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = negative ? 0 - wide : wide;
  const int shift = std::countl_zero(magnitude);
  return pack<F>({negative, 63 - shift, magnitude << shift}, false, env);
}

/// Magnitude of a number as an integer, rounded; only for exponents below 64.
inline Rounded integral_magnitude(const Number& number, Rm rm) {
  if (number.exponent == 63) return {number.significand, false};
  return round_shift(number.significand, 63 - number.exponent, false, number.negative, rm);
}

/// RISC-V's conversion: out of range and infinite values saturate, NaN gives the largest value, all of them invalid.
template <class Integer, class F>
Integer to_integer(Bits<F> a, Env& env) {
  using Limits = std::numeric_limits<Integer>;
  const bool negative = is_negative<F>(a);
  if (is_zero<F>(a)) return 0;
  if (!is_nan<F>(a) && !is_inf<F>(a)) {
    const Number number = unpack<F>(a);
    if (number.exponent < 64) {
      const Rounded result = integral_magnitude(number, env.rm);
      const auto most = static_cast<std::uint64_t>(Limits::max()) + (negative && std::is_signed_v<Integer> ? 1 : 0);
      const bool below_zero = negative && !std::is_signed_v<Integer> && result.value != 0;
      if (!below_zero && result.value <= most) {
        if (result.inexact) env.raise(kInexact);
        return static_cast<Integer>(negative ? 0 - result.value : result.value);
      }
    }
  }
  env.raise(kInvalid);
  return negative && !is_nan<F>(a) ? Limits::min() : Limits::max();
}

/// fcvtmod.w.d: truncated, modulo 2^32; invalid where fcvt.w.d would be, inexact otherwise if bits are lost.
inline std::int32_t to_int32_modular(Bits<Double> a, Env& env) {
  if (is_nan<Double>(a) || is_inf<Double>(a)) {
    env.raise(kInvalid);
    return 0;
  }
  if (is_zero<Double>(a)) return 0;
  const Number number = unpack<Double>(a);
  Env saturating{.rm = Rm::rtz};
  static_cast<void>(to_integer<std::int32_t, Double>(a, saturating));
  env.raise(saturating.flags);
  std::uint64_t magnitude = 0;  // the significand has 53 bits: from 2^84 on, the low word is zero
  if (number.exponent <= 63 && number.exponent >= 0) magnitude = number.significand >> (63 - number.exponent);
  if (number.exponent > 63 && number.exponent < 127) magnitude = number.significand << (number.exponent - 63);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(number.negative ? 0 - magnitude : magnitude));
}

/// To an integral value in the same format; with `inexact` the flag tells that the value changed.
template <class F>
Bits<F> round_to_integral(Bits<F> a, bool inexact, Env& env) {
  if (is_nan<F>(a)) {
    if (is_signalling<F>(a)) env.raise(kInvalid);
    return F::nan;
  }
  if (is_inf<F>(a) || is_zero<F>(a)) return a;
  const Number number = unpack<F>(a);
  if (number.exponent >= F::fraction_bits) return a;
  const Rounded result = integral_magnitude(number, env.rm);
  if (result.inexact && inexact) env.raise(kInexact);
  if (result.value == 0) return zero<F>(number.negative);
  Env exact{};
  return static_cast<Bits<F>>(from_integer<F>(result.value, exact) | zero<F>(number.negative));
}

}  // namespace castor::semantics::fp
