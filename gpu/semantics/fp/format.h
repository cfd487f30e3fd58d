// Floating-point formats and numbers taken apart. Everything in fp/ works on bits with integer arithmetic alone: exact for
// every rounding mode, on every host, whatever state the host's own floating-point unit is in.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/semantics/emitter.h"

namespace castor::semantics::fp {

/// fflags, as the manual numbers them.
enum Flag : std::uint8_t { kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivideByZero = 8, kInvalid = 16 };

/// Rounding mode in, flags out. `rm` is a static mode: the caller has resolved `dynamic`.
struct Env {
  Rm rm = Rm::rne;
  std::uint8_t flags = 0;

  void raise(unsigned flag) { flags |= static_cast<std::uint8_t>(flag); }
};

template <class Word, int ExponentBits, int FractionBits>
struct Format {
  using Bits = Word;
  static constexpr int exponent_bits = ExponentBits, fraction_bits = FractionBits;
  static constexpr int precision = FractionBits + 1;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1, emax = bias, emin = 1 - bias;
  static constexpr Word fraction_mask = static_cast<Word>((std::uint64_t{1} << FractionBits) - 1);
  static constexpr Word sign = static_cast<Word>(std::uint64_t{1} << (ExponentBits + FractionBits));
  static constexpr Word infinity = static_cast<Word>((sign - 1) & ~fraction_mask);
  static constexpr Word quiet = static_cast<Word>(std::uint64_t{1} << (FractionBits - 1));
  static constexpr Word nan = infinity | quiet;  // canonical
  static constexpr Word largest = static_cast<Word>(infinity - 1);
};
using Half = Format<std::uint16_t, 5, 10>;
using Bfloat = Format<std::uint16_t, 8, 7>;
using Single = Format<std::uint32_t, 8, 23>;
using Double = Format<std::uint64_t, 11, 52>;

template <class F>
using Bits = typename F::Bits;

template <class F>
constexpr bool is_nan(Bits<F> x) {
  return static_cast<Bits<F>>(x & ~F::sign) > F::infinity;
}
template <class F>
constexpr bool is_signalling(Bits<F> x) {
  return is_nan<F>(x) && (x & F::quiet) == 0;
}
template <class F>
constexpr bool is_inf(Bits<F> x) {
  return static_cast<Bits<F>>(x & ~F::sign) == F::infinity;
}
template <class F>
constexpr bool is_zero(Bits<F> x) {
  return static_cast<Bits<F>>(x & ~F::sign) == 0;
}
template <class F>
constexpr bool is_negative(Bits<F> x) {
  return (x & F::sign) != 0;
}

/// A finite number other than zero: significand with its leading one in bit 63, value = significand * 2^(exponent - 63).
struct Number {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;
};

template <class F>
constexpr Number unpack(Bits<F> x) {
  const std::uint64_t fraction = x & F::fraction_mask;
  const int biased = static_cast<int>((x & ~F::sign) >> F::fraction_bits);
  if (biased != 0) {
    return {is_negative<F>(x), biased - F::bias,
            (fraction | std::uint64_t{1} << F::fraction_bits) << (63 - F::fraction_bits)};
  }
  const int shift = std::countl_zero(fraction);
  return {is_negative<F>(x), F::emin - F::fraction_bits + 63 - shift, fraction << shift};
}

template <class F>
constexpr Bits<F> zero(bool negative) {
  return negative ? F::sign : Bits<F>{0};
}
template <class F>
constexpr Bits<F> inf(bool negative) {
  return static_cast<Bits<F>>(zero<F>(negative) | F::infinity);
}

/// The canonical NaN of an operation on invalid operands.
template <class F>
Bits<F> invalid(Env& env) {
  env.raise(kInvalid);
  return F::nan;
}

}  // namespace castor::semantics::fp
