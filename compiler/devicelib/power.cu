// Powers and roots.
#include "compiler/devicelib/exponential.h"
#include "compiler/devicelib/logarithm.h"

INLINE bool is_integer(double y) { return __builtin_trunc(y) == y; }
INLINE bool is_odd(double y) {
  return __builtin_fabs(y) < 0x1p53 && is_integer(y) && (static_cast<long long>(y) & 1) != 0;
}

/// |x|^y where x is finite and not zero, y finite.
INLINE double power_regular(double x, double y) {
  const Decomposed d = decompose(x);
  const Pair logarithm = sum(sum(d.k * kLn2_0, d.k * kLn2_1), log_pair(d.m));
  const Pair exponent = product(Pair{y, 0.0}, logarithm);
  const bool inside = __builtin_fabs(exponent.high) < 1000.0;  // beyond, the low part may be large
  return exp_with_tail(exponent.high, inside ? exponent.low : 0.0);
}

/// ISO C, F.10.4.4.
INLINE double power_special(double x, double y, double regular) {
  const double a = __builtin_fabs(x);
  const bool negative = __builtin_signbit(x) != 0 && is_odd(y);
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return x + y;
  if (__builtin_fabs(y) == infinity()) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == (y > 0.0) ? infinity() : 0.0;
  }
  if (a == 0.0 || a == infinity()) {
    const double result = (a == 0.0) == (y < 0.0) ? infinity() : 0.0;
    return negative ? -result : result;
  }
  if (x < 0.0 && !is_integer(y)) return not_a_number();
  return negative ? -regular : regular;
}

INLINE double power_double(double x, double y) {
  const double a = __builtin_fabs(x);
  const bool regular = a > 0.0 && a < infinity();
  return power_special(x, y, power_regular(regular ? a : 1.0, y));
}
FUNCTION(double, pow)(double x, double y) { return power_double(x, y); }

FUNCTION(float, powf)(float x, float y) {
  const double a = __builtin_fabs(static_cast<double>(x));
  const bool regular = a > 0.0 && a < infinity();
  const Decomposed d = decompose(regular ? a : 1.0);
  // Fifty bits of log2: 150 of them leave enough for a single.
  const double exponent = static_cast<double>(y) * fma(log_single(d.m), kInvLn2_0, d.k);
  const double limited = __builtin_fmin(__builtin_fmax(exponent, -200.0), 200.0);
  const double k = __builtin_rint(limited);
  const double result = exp_single((limited - k) * (kLn2_0 + kLn2_1), k);
  return static_cast<float>(power_special(x, y, result));
}

/// By repeated squaring, as the compiler's own powi is defined.
template <class T>
INLINE T power_by_squaring(T x, int n) {
  T result = 1;
  for (unsigned rest = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result *= x;
    x *= x;
  }
  return n < 0 ? 1 / result : result;
}
FUNCTION(double, __castor_powi)(double x, int n) { return power_by_squaring(x, n); }
FUNCTION(float, __castor_powif)(float x, int n) { return static_cast<float>(power_by_squaring<double>(x, n)); }

/// Of a positive, finite x.
INLINE double cube_root(double x) {
  const bool subnormal = x < 0x1p-1022;
  const double a = subnormal ? x * 0x1p54 : x;
  // A third of the exponent, then Halley's iteration: 5, 15, 45, 100 bits.
  double t = double_of(bits_of(a) / 3 + 0x2a9f7893782da1cell);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const double cube = t * t * t;
    t = t * ((cube + 2.0 * a) / (2.0 * cube + a));
  }
  const Pair square = product(t, t);
  const double error = fma(square.high, t, -a) + square.low * t;
  t -= error / (3.0 * t * t);
  return subnormal ? t * 0x1p-18 : t;
}
INLINE double cbrt_double(double x) {
  const double a = __builtin_fabs(x);
  const bool regular = a > 0.0 && a < infinity();
  return regular ? __builtin_copysign(cube_root(a), x) : x;
}
FUNCTION(double, cbrt)(double x) { return cbrt_double(x); }
FUNCTION(float, cbrtf)(float x) { return static_cast<float>(cbrt_double(x)); }
FUNCTION(double, __castor_rcbrt)(double x) { return 1.0 / cbrt_double(x); }
FUNCTION(float, __castor_rcbrtf)(float x) { return static_cast<float>(1.0 / cbrt_double(x)); }
FUNCTION(double, __castor_rsqrt)(double x) {
  const double r = 1.0 / __builtin_sqrt(x);
  // One step of Newton with the residual in full: 1 - x r^2.
  const Pair square = product(r, r);
  const double residual = fma(-x, square.high, 1.0) - x * square.low;
  const bool regular = x > 0x1p-1000 && x < infinity();
  return regular ? fma(0.5 * r, residual, r) : r;
}
FUNCTION(float, __castor_rsqrtf)(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

FUNCTION(double, hypot)(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  const double large = __builtin_fmax(a, b), small = __builtin_fmin(a, b);
  if (large == infinity()) return large;
  if (a != a || b != b) return a + b;
  const double unit = large > 0x1p500 ? 0x1p-600 : large < 0x1p-500 ? 0x1p600 : 1.0;
  const double u = large * unit, v = small * unit;
  const double h = __builtin_sqrt(fma(u, u, v * v));
  if (h == 0.0) return 0.0;
  // Correct by the residual u^2 + v^2 - h^2.
  const Pair uu = product(u, u), vv = product(v, v), hh = product(h, h);
  const double residual = ((uu.high - hh.high) + vv.high) + ((uu.low - hh.low) + vv.low);
  return (h + residual / (2.0 * h)) / unit;
}
FUNCTION(float, hypotf)(float x, float y) {
  const double a = x, b = y;
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  return static_cast<float>(__builtin_sqrt(a * a + b * b));
}
