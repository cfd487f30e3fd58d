// Comparisons, minimum and maximum, classification.
#pragma once

#include "gpu/semantics/fp/format.h"

namespace castor::semantics::fp {

/// A quiet comparison is invalid for signalling NaNs only, the other kind for every NaN.
enum class Quiet : bool { no, yes };

template <class F>
bool unordered(Bits<F> a, Bits<F> b, Quiet quiet, Env& env) {
  const bool nan = is_nan<F>(a) || is_nan<F>(b);
  if (is_signalling<F>(a) || is_signalling<F>(b) || (nan && quiet == Quiet::no)) env.raise(kInvalid);
  return nan;
}

/// a < b of two numbers, -0 below +0 if `zeros_differ`.
template <class F>
constexpr bool below(Bits<F> a, Bits<F> b, bool zeros_differ) {
  if (is_zero<F>(a) && is_zero<F>(b) && !zeros_differ) return false;
  if (is_negative<F>(a) != is_negative<F>(b)) return is_negative<F>(a);
  return is_negative<F>(a) ? a > b : a < b;
}

template <class F>
bool equal(Bits<F> a, Bits<F> b, Env& env) {
  return !unordered<F>(a, b, Quiet::yes, env) && (a == b || (is_zero<F>(a) && is_zero<F>(b)));
}
template <class F>
bool less(Bits<F> a, Bits<F> b, Quiet quiet, Env& env) {
  return !unordered<F>(a, b, quiet, env) && below<F>(a, b, false);
}
template <class F>
bool less_equal(Bits<F> a, Bits<F> b, Quiet quiet, Env& env) {
  return !unordered<F>(a, b, quiet, env) && !below<F>(b, a, false);
}

/// fmin, fmax: a number wins over a NaN.
template <class F>
Bits<F> minimum_number(Bits<F> a, Bits<F> b, Env& env) {
  if (unordered<F>(a, b, Quiet::yes, env)) return !is_nan<F>(a) ? a : !is_nan<F>(b) ? b : F::nan;
  return below<F>(b, a, true) ? b : a;
}
template <class F>
Bits<F> maximum_number(Bits<F> a, Bits<F> b, Env& env) {
  if (unordered<F>(a, b, Quiet::yes, env)) return !is_nan<F>(a) ? a : !is_nan<F>(b) ? b : F::nan;
  return below<F>(a, b, true) ? b : a;
}
/// fminm, fmaxm: a NaN wins.
template <class F>
Bits<F> minimum(Bits<F> a, Bits<F> b, Env& env) {
  return unordered<F>(a, b, Quiet::yes, env) ? F::nan : below<F>(b, a, true) ? b : a;
}
template <class F>
Bits<F> maximum(Bits<F> a, Bits<F> b, Env& env) {
  return unordered<F>(a, b, Quiet::yes, env) ? F::nan : below<F>(a, b, true) ? b : a;
}

/// One bit: negative infinity, normal, subnormal, zero, positive zero, subnormal, normal, infinity, signalling, quiet NaN.
template <class F>
constexpr std::uint64_t classify(Bits<F> a) {
  if (is_nan<F>(a)) return is_signalling<F>(a) ? 1u << 8 : 1u << 9;
  const bool subnormal = (a & F::infinity) == 0;
  const unsigned from_infinity = is_inf<F>(a) ? 0 : is_zero<F>(a) ? 3 : subnormal ? 2 : 1;
  return 1u << (is_negative<F>(a) ? from_infinity : 7 - from_infinity);
}

}  // namespace castor::semantics::fp
