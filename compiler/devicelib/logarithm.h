// The kernel of the logarithms: x = 2^k * m with m between sqrt(1/2) and sqrt(2), s = (m - 1) / (m + 1).
#pragma once

#include "compiler/devicelib/coefficients.h"
#include "compiler/devicelib/device.h"

struct Decomposed {
  double k, m;
};

/// Of a positive, finite x.
INLINE Decomposed decompose(double x) {
  const bool subnormal = x < 0x1p-1022;
  const long long bits = bits_of(subnormal ? x * 0x1p54 : x);
  const long long exponent = (bits - 0x3fe6a09e667f3bcdll) >> 52;  // sqrt(1/2)
  return {static_cast<double>(exponent - (subnormal ? 54 : 0)), double_of(bits - (exponent << 52))};
}

/// What all logarithms say of arguments that are not positive and finite.
INLINE double log_special(double x, double regular) {
  if (x == 0.0) return -infinity();
  if (x < 0.0) return not_a_number();
  return x < infinity() ? regular : x;
}

/// log(m) = high + low, about 70 bits. For m near 1 the leading term is exact.
INLINE Pair log_pair(double m) {
  const double f = m - 1.0;
  const double d = 2.0 + f, d_low = f - (d - 2.0);
  const double s = f / d;
  const double s_low = (fma(-s, d, f) - s * d_low) / d;
  const Pair square = {s * s, fma(s, s, -(s * s)) + 2.0 * s * s_low};
  const Pair cube = product(square, Pair{s, s_low});
  const Pair third = product(cube, Pair{kTwoThirds_0, kTwoThirds_1});
  const double fifth = square.high * cube.high * polynomial(kLog5, square.high);
  return sum(sum(2.0 * s, 2.0 * s_low), Pair{third.high, third.low + fifth});
}

/// log(m) to a double's precision, plus k * ln 2.
INLINE double log_rounded(Decomposed x, double correction) {
  const double f = x.m - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  const double half_square = 0.5 * f * f;
  const double r = z * polynomial(kLog3, z);
  return x.k * kLn2_0 - ((half_square - (s * (half_square + r) + fma(x.k, kLn2_1, correction))) - f);
}

/// log(m) good enough for single precision.
INLINE double log_single(double m) {
  const double f = m - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  return fma(s * z, polynomial(kLogSingle, z), 2.0 * s);
}

INLINE double log_double(double x) { return log_special(x, log_rounded(decompose(x), 0.0)); }

INLINE double log1p_double(double x) {
  const double u = 1.0 + x;
  const double lost = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  const bool inside = u > 0.0 && u < infinity();
  const double result = log_rounded(decompose(inside ? u : 1.0), inside ? lost / u : 0.0);
  if (x == 0.0 || __builtin_fabs(x) < 0x1p-54) return x;
  return log_special(u, result);
}
