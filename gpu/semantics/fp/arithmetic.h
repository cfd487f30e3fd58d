// Add, multiply, divide, square root, fused multiply-add in any format: computed exactly, then rounded once.
#pragma once

#include <utility>

#include "gpu/semantics/fp/round.h"

namespace castor::semantics::fp {

template <class F>
Bits<F> nan_result(bool signalling, Env& env) {
  if (signalling) env.raise(kInvalid);
  return F::nan;
}

/// Sum of two numbers given as 128-bit significands with two zeros on top, value = significand * 2^(exponent - 125).
template <class F>
Bits<F> add_wide(bool a_negative, int a_exponent, Wide a, bool b_negative, int b_exponent, Wide b, Env& env) {
  if (a_exponent < b_exponent) {
    std::swap(a, b);
    std::swap(a_exponent, b_exponent);
    std::swap(a_negative, b_negative);
  }
  b = shift_sticky(b, a_exponent - b_exponent);
  if (a_negative == b_negative) return pack_wide<F>(a_negative, a_exponent + 2, a + b, env);
  if (a == b) return zero<F>(env.rm == Rm::rdn);
  return a > b ? pack_wide<F>(a_negative, a_exponent + 2, a - b, env)
               : pack_wide<F>(b_negative, a_exponent + 2, b - a, env);
}

template <class F>
Bits<F> add(Bits<F> a, Bits<F> b, Env& env) {
  if (is_nan<F>(a) || is_nan<F>(b)) return nan_result<F>(is_signalling<F>(a) || is_signalling<F>(b), env);
  if (is_inf<F>(a)) return is_inf<F>(b) && a != b ? invalid<F>(env) : a;
  if (is_inf<F>(b)) return b;
  if (is_zero<F>(a) && is_zero<F>(b)) return a == b ? a : zero<F>(env.rm == Rm::rdn);
  if (is_zero<F>(a)) return b;
  if (is_zero<F>(b)) return a;
  const Number x = unpack<F>(a), y = unpack<F>(b);
  return add_wide<F>(x.negative, x.exponent, Wide{x.significand} << 62, y.negative, y.exponent,
                     Wide{y.significand} << 62, env);
}

template <class F>
Bits<F> subtract(Bits<F> a, Bits<F> b, Env& env) {
  return add<F>(a, static_cast<Bits<F>>(b ^ F::sign), env);
}

template <class F>
Bits<F> multiply(Bits<F> a, Bits<F> b, Env& env) {
  const bool negative = is_negative<F>(a) != is_negative<F>(b);
  if (is_nan<F>(a) || is_nan<F>(b)) return nan_result<F>(is_signalling<F>(a) || is_signalling<F>(b), env);
  if (is_inf<F>(a) || is_inf<F>(b)) return is_zero<F>(a) || is_zero<F>(b) ? invalid<F>(env) : inf<F>(negative);
  if (is_zero<F>(a) || is_zero<F>(b)) return zero<F>(negative);
  const Number x = unpack<F>(a), y = unpack<F>(b);
  return pack_wide<F>(negative, x.exponent + y.exponent + 1, Wide{x.significand} * y.significand, env);
}

template <class F>
Bits<F> divide(Bits<F> a, Bits<F> b, Env& env) {
  const bool negative = is_negative<F>(a) != is_negative<F>(b);
  if (is_nan<F>(a) || is_nan<F>(b)) return nan_result<F>(is_signalling<F>(a) || is_signalling<F>(b), env);
  if (is_inf<F>(a)) return is_inf<F>(b) ? invalid<F>(env) : inf<F>(negative);
  if (is_inf<F>(b)) return zero<F>(negative);
  if (is_zero<F>(b)) {
    if (is_zero<F>(a)) return invalid<F>(env);
    env.raise(kDivideByZero);
    return inf<F>(negative);
  }
  if (is_zero<F>(a)) return zero<F>(negative);
  const Number x = unpack<F>(a), y = unpack<F>(b);
  const bool less = x.significand < y.significand;  // then the quotient of the significands lies below one
  const Wide dividend = Wide{x.significand} << (less ? 64 : 63);
  const auto quotient = static_cast<std::uint64_t>(dividend / y.significand);
  return pack<F>({negative, x.exponent - y.exponent - (less ? 1 : 0), quotient}, dividend % y.significand != 0, env);
}

/// Largest root with root * root <= value; value has a one in its top two bits.
inline std::uint64_t integer_root(Wide value) {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t next = root | std::uint64_t{1} << bit;
    if (Wide{next} * next <= value) root = next;
  }
  return root;
}

template <class F>
Bits<F> square_root(Bits<F> a, Env& env) {
  if (is_nan<F>(a)) return nan_result<F>(is_signalling<F>(a), env);
  if (is_zero<F>(a)) return a;
  if (is_negative<F>(a)) return invalid<F>(env);
  if (is_inf<F>(a)) return a;
  const Number x = unpack<F>(a);
  const bool odd = (x.exponent & 1) != 0;
  const Wide radicand = Wide{x.significand} << (odd ? 64 : 63);
  const std::uint64_t root = integer_root(radicand);
  return pack<F>({false, (x.exponent - (odd ? 1 : 0)) / 2, root}, Wide{root} * root != radicand, env);
}

/// a * b + c, rounded once. Infinity times zero is invalid even if c is a quiet NaN.
template <class F>
Bits<F> fused_multiply_add(Bits<F> a, Bits<F> b, Bits<F> c, Env& env) {
  const bool negative = is_negative<F>(a) != is_negative<F>(b);
  const bool signalling = is_signalling<F>(a) || is_signalling<F>(b) || is_signalling<F>(c);
  if ((is_inf<F>(a) && is_zero<F>(b)) || (is_zero<F>(a) && is_inf<F>(b))) return invalid<F>(env);
  if (is_nan<F>(a) || is_nan<F>(b) || is_nan<F>(c)) return nan_result<F>(signalling, env);
  if (is_inf<F>(a) || is_inf<F>(b))
    return is_inf<F>(c) && is_negative<F>(c) != negative ? invalid<F>(env) : inf<F>(negative);
  if (is_inf<F>(c)) return c;
  if (is_zero<F>(a) || is_zero<F>(b)) {
    if (!is_zero<F>(c)) return c;
    return is_negative<F>(c) == negative ? c : zero<F>(env.rm == Rm::rdn);
  }
  const Number x = unpack<F>(a), y = unpack<F>(b);
  const Wide product = Wide{x.significand} * y.significand;
  if (is_zero<F>(c)) return pack_wide<F>(negative, x.exponent + y.exponent + 1, product, env);
  // A significand has at most 53 bits, so that the lowest bits of the product are zeros and the shift drops nothing.
  const Number z = unpack<F>(c);
  return add_wide<F>(negative, x.exponent + y.exponent + 1, product >> 2, z.negative, z.exponent,
                     Wide{z.significand} << 62, env);
}

}  // namespace castor::semantics::fp
