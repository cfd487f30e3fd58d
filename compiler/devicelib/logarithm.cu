// Logarithms and inverse hyperbolic functions.
#include "compiler/devicelib/logarithm.h"

/// log(x) * factor + k * unit: unit is in two parts, the first exact for any k.
INLINE double log_base(double x, Pair factor, Pair unit) {
  const Decomposed d = decompose(x);
  const Pair part = product(log_pair(d.m), factor);
  const Pair whole = sum(sum(d.k * unit.high, d.k * unit.low), part);
  return log_special(x, whole.high + whole.low);
}

FUNCTION(double, log)(double x) { return log_double(x); }
FUNCTION(double, log2)(double x) { return log_base(x, {kInvLn2_0, kInvLn2_1}, {1.0, 0.0}); }
FUNCTION(double, log10)(double x) { return log_base(x, {kInvLn10_0, kInvLn10_1}, {kLog10Of2_0, kLog10Of2_1}); }
FUNCTION(double, log1p)(double x) { return log1p_double(x); }

FUNCTION(float, logf)(float x) {
  const Decomposed d = decompose(x);
  return static_cast<float>(log_special(x, fma(d.k, kLn2_0 + kLn2_1, log_single(d.m))));
}
FUNCTION(float, log2f)(float x) {
  const Decomposed d = decompose(x);
  return static_cast<float>(log_special(x, fma(log_single(d.m), kInvLn2_0, d.k)));
}
FUNCTION(float, log10f)(float x) {
  const Decomposed d = decompose(x);
  return static_cast<float>(log_special(x, fma(log_single(d.m), kInvLn10_0, d.k * (kLog10Of2_0 + kLog10Of2_1))));
}
FUNCTION(float, log1pf)(float x) { return static_cast<float>(log1p_double(x)); }

INLINE double asinh_double(double x) {
  const double a = __builtin_fabs(x);
  const double square = a * a;
  const double near = log1p_double(a + square / (1.0 + __builtin_sqrt(1.0 + square)));
  const double far = log_double(a) + (kLn2_0 + kLn2_1);
  return x != x ? x : __builtin_copysign(a < 0x1p-28 ? a : a < 0x1p28 ? near : far, x);
}
INLINE double acosh_double(double x) {
  const double t = x - 1.0;
  const double near = log1p_double(t + __builtin_sqrt(fma(t, t, 2.0 * t)));
  const double far = log_double(x) + (kLn2_0 + kLn2_1);
  return x < 1.0 ? not_a_number() : x < 0x1p28 ? near : far;
}
INLINE double atanh_double(double x) {
  const double a = __builtin_fabs(x);
  const double result = 0.5 * log1p_double((a + a) / (1.0 - a));
  return x != x ? x : a > 1.0 ? not_a_number() : __builtin_copysign(a < 0x1p-28 ? a : result, x);
}
FUNCTION(double, asinh)(double x) { return asinh_double(x); }
FUNCTION(double, acosh)(double x) { return acosh_double(x); }
FUNCTION(double, atanh)(double x) { return atanh_double(x); }
FUNCTION(float, asinhf)(float x) { return static_cast<float>(asinh_double(x)); }
FUNCTION(float, acoshf)(float x) { return static_cast<float>(acosh_double(x)); }
FUNCTION(float, atanhf)(float x) { return static_cast<float>(atanh_double(x)); }
