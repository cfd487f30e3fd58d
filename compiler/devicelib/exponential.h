// The kernel of the exponentials.
#pragma once

#include "compiler/devicelib/coefficients.h"
#include "compiler/devicelib/device.h"

/// e^(r + tail) for |r| <= ln2 / 2.
INLINE double exp_reduced(double r, double tail) {
  const double p = fma(r * r, polynomial(kExp, r), r);
  return 1.0 + (p + fma(p, tail, tail));
}

/// e^(x + tail) * 2^more: tail far below x, more a small number.
INLINE double exp_with_tail(double x, double tail, int more = 0) {
  const double limited = __builtin_fmin(__builtin_fmax(x, -746.0), 712.0);
  const double k = __builtin_rint(limited * kInvLn2_0);
  const double r = fma(-k, kLn2_0, limited), t = k * kLn2_1;
  const double reduced = r - t;
  const double result = scale(exp_reduced(reduced, ((r - reduced) - t) + tail), static_cast<int>(k) + more);
  return x != x ? x : result;
}

/// 2^k * e^r as a double, for single-precision results: |r| <= ln2 / 2, |k| <= 1000.
INLINE double exp_single(double r, double k) {
  const double p = fma(r * r, polynomial(kExpSingle, r), r);
  return (1.0 + p) * power_of_two(static_cast<int>(k));
}
