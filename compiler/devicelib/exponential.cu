// Exponentials and hyperbolic functions.
#include "compiler/devicelib/exponential.h"

FUNCTION(double, exp)(double x) { return exp_with_tail(x, 0.0); }

FUNCTION(double, exp2)(double x) {
  const double limited = __builtin_fmin(__builtin_fmax(x, -1100.0), 1100.0);
  const double k = __builtin_rint(limited);
  const Pair r = product(Pair{limited - k, 0.0}, Pair{kLn2_0 + kLn2_1, (kLn2_0 - (kLn2_0 + kLn2_1)) + kLn2_1});
  const double result = scale(exp_reduced(r.high, r.low), static_cast<int>(k));
  return x != x ? x : result;
}

FUNCTION(double, exp10)(double x) {
  const double limited = __builtin_fmin(__builtin_fmax(x, -400.0), 400.0);
  const double k = __builtin_rint(limited * kLog2Of10);
  const double r = fma(-k, kLog10Of2_0, limited);
  const Pair part = sum(r, -k * kLog10Of2_1);
  const Pair reduced = product(part, Pair{kLn10_0, kLn10_1});
  const double result = scale(exp_reduced(reduced.high, reduced.low), static_cast<int>(k));
  return x != x ? x : result;
}

INLINE double expm1_double(double x) {
  const double limited = __builtin_fmin(__builtin_fmax(x, -50.0), 710.0);
  const double k = __builtin_rint(limited * kInvLn2_0);
  const double r = fma(-k, kLn2_0, limited), t = k * kLn2_1;
  const double reduced = r - t, tail = (r - reduced) - t;
  const double q = reduced * reduced * polynomial(kExp, reduced);
  const Pair p = sum(reduced, q);  // e^r - 1
  const double low = p.low + fma(p.high, tail, tail);
  const int n = static_cast<int>(k);
  const double half = power_of_two(n - 1);  // twice, since 2^1024 is no double
  const Pair whole = sum(half * p.high, half - 0.5);
  const double result = 2.0 * (whole.high + (whole.low + half * low));
  return x == 0.0 || x != x ? x : result;
}
FUNCTION(double, expm1)(double x) { return expm1_double(x); }

FUNCTION(float, expf)(float x) {
  const double limited = __builtin_fmin(__builtin_fmax(static_cast<double>(x), -120.0), 120.0);
  const double k = __builtin_rint(limited * kInvLn2_0);
  const double result = exp_single(fma(-k, kLn2_0 + kLn2_1, limited), k);
  return x != x ? x : static_cast<float>(result);
}
FUNCTION(float, exp2f)(float x) {
  const double limited = __builtin_fmin(__builtin_fmax(static_cast<double>(x), -200.0), 200.0);
  const double k = __builtin_rint(limited);
  const double result = exp_single((limited - k) * (kLn2_0 + kLn2_1), k);
  return x != x ? x : static_cast<float>(result);
}
FUNCTION(float, exp10f)(float x) {
  const double limited = __builtin_fmin(__builtin_fmax(static_cast<double>(x), -60.0), 60.0);
  const double k = __builtin_rint(limited * kLog2Of10);
  const double result = exp_single(fma(-k, kLog10Of2_0 + kLog10Of2_1, limited) * kLn10_0, k);
  return x != x ? x : static_cast<float>(result);
}
FUNCTION(float, expm1f)(float x) { return static_cast<float>(expm1_double(x)); }

/// e^x / 2, where e^x may overflow before its half does.
INLINE double half_exp(double x) { return exp_with_tail(x, 0.0, -1); }
INLINE double sinh_double(double x) {
  const double a = __builtin_fabs(x);
  const double m = expm1_double(__builtin_fmin(a, 40.0));
  const double near = 0.5 * (m + m / (m + 1.0));
  const double result = a < 22.0 ? near : half_exp(a);
  return x != x ? x : __builtin_copysign(a < 0x1p-28 ? a : result, x);
}
INLINE double cosh_double(double x) {
  const double a = __builtin_fabs(x);
  const double half = half_exp(a);
  return x != x ? x : half + 0.25 / half;
}
INLINE double tanh_double(double x) {
  const double a = __builtin_fabs(x);
  const double m = expm1_double(2.0 * __builtin_fmin(a, 22.0));
  const double result = a < 0x1p-28 ? a : m / (m + 2.0);
  return x != x ? x : __builtin_copysign(result, x);
}
FUNCTION(double, sinh)(double x) { return sinh_double(x); }
FUNCTION(double, cosh)(double x) { return cosh_double(x); }
FUNCTION(double, tanh)(double x) { return tanh_double(x); }
FUNCTION(float, sinhf)(float x) { return static_cast<float>(sinh_double(x)); }
FUNCTION(float, coshf)(float x) { return static_cast<float>(cosh_double(x)); }
FUNCTION(float, tanhf)(float x) { return static_cast<float>(tanh_double(x)); }
