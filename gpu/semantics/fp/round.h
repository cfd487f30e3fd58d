// Rounding: the one place where bits are dropped (IEEE 754-2019, 4.3; tininess is detected after rounding, as RISC-V says).
#pragma once

#include "gpu/semantics/fp/format.h"

namespace castor::semantics::fp {

/// Whether the magnitude grows when the part below the last kept bit is dropped: `odd` the last kept bit, `half` the first
/// dropped one, `rest` any other dropped one.
constexpr bool rounds_up(Rm rm, bool negative, bool odd, bool half, bool rest) {
  switch (rm) {
    case Rm::rne: return half && (rest || odd);
    case Rm::rdn: return negative && (half || rest);
    case Rm::rup: return !negative && (half || rest);
    case Rm::rmm: return half;
    default: return false;
  }
}

struct Rounded {
  std::uint64_t value;
  bool inexact;
};

/// value >> drop, rounded; `sticky` says that more ones follow below. drop from 1 up.
constexpr Rounded round_shift(std::uint64_t value, int drop, bool sticky, bool negative, Rm rm) {
  if (drop > 64) {
    const bool up = rounds_up(rm, negative, false, false, value != 0 || sticky);
    return {up ? std::uint64_t{1} : 0, value != 0 || sticky};
  }
  const std::uint64_t kept = drop == 64 ? 0 : value >> drop;
  const bool half = (value >> (drop - 1) & 1) != 0;
  const bool rest = sticky || (value & ((std::uint64_t{1} << (drop - 1)) - 1)) != 0;
  return {kept + (rounds_up(rm, negative, (kept & 1) != 0, half, rest) ? 1 : 0), half || rest};
}

template <class F>
Bits<F> overflowed(bool negative, Env& env) {
  env.raise(kOverflow | kInexact);
  const bool to_infinity = env.rm == Rm::rne || env.rm == Rm::rmm || env.rm == (negative ? Rm::rdn : Rm::rup);
  return to_infinity ? inf<F>(negative) : static_cast<Bits<F>>(zero<F>(negative) | F::largest);
}

/// Packs a number, rounded to the format; `sticky` stands for ones below the significand.
template <class F>
Bits<F> pack(const Number& number, bool sticky, Env& env) {
  constexpr int kDrop = 64 - F::precision;
  const Rounded normal = round_shift(number.significand, kDrop, sticky, number.negative, env.rm);
  const bool carries = normal.value >> F::precision != 0;
  if (number.exponent < F::emin) {
    const int drop = kDrop + F::emin - number.exponent;
    const Rounded small = round_shift(number.significand, drop, sticky, number.negative, env.rm);
    const bool tiny = number.exponent < F::emin - 1 || !carries;
    if (small.inexact) env.raise(tiny ? kInexact | kUnderflow : kInexact);
    return static_cast<Bits<F>>(zero<F>(number.negative) | small.value);  // a carry makes it the smallest normal
  }
  const int exponent = number.exponent + (carries ? 1 : 0);
  if (exponent > F::emax) return overflowed<F>(number.negative, env);
  if (normal.inexact) env.raise(kInexact);
  const std::uint64_t fraction = normal.value & F::fraction_mask;  // all zeros after a carry
  return static_cast<Bits<F>>(zero<F>(number.negative) |
                              static_cast<std::uint64_t>(exponent + F::bias) << F::fraction_bits | fraction);
}

__extension__ using Wide = unsigned __int128;

/// Packs a 128-bit significand: value = significand * 2^(exponent - 127); it need not be normalised, but not zero.
template <class F>
Bits<F> pack_wide(bool negative, int exponent, Wide significand, Env& env) {
  const auto high = static_cast<std::uint64_t>(significand >> 64);
  const int shift = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(significand));
  significand <<= shift;
  const bool sticky = static_cast<std::uint64_t>(significand) != 0;
  return pack<F>({negative, exponent - shift, static_cast<std::uint64_t>(significand >> 64)}, sticky, env);
}

/// value >> shift where ones that are dropped stay visible in the last bit.
constexpr Wide shift_sticky(Wide value, int shift) {
  if (shift == 0) return value;
  if (shift > 127) return value != 0 ? 1 : 0;
  return value >> shift | ((value & ((Wide{1} << shift) - 1)) != 0 ? 1 : 0);
}

}  // namespace castor::semantics::fp
