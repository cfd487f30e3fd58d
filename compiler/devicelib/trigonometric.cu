// Trigonometric functions and their inverses.
#include "compiler/devicelib/trigonometric.h"

FUNCTION(double, sin)(double x) { return x == 0.0 ? x : sin_of(reduce(x)); }
FUNCTION(double, cos)(double x) { return cos_of(reduce(x)); }
FUNCTION(double, tan)(double x) {
  const Angle a = reduce(x);
  const double s = sin_kernel(a.high, a.low), c = cos_kernel(a.high, a.low);
  return x == 0.0 ? x : (a.quadrant & 1) != 0 ? -c / s : s / c;
}
FUNCTION(float, sinf)(float x) { return x == 0.0f ? x : sin_of_single(reduce_single(x)); }
FUNCTION(float, cosf)(float x) { return cos_of_single(reduce_single(x)); }
FUNCTION(float, tanf)(float x) {
  const Angle a = reduce_single(x);
  const double s = sin_single(a.high), c = cos_single(a.high);
  return x == 0.0f ? x : static_cast<float>((a.quadrant & 1) != 0 ? -c / s : s / c);
}

FUNCTION(double, __castor_sinpi)(double x) {
  const double result = sin_of(reduce_half_turns(x));
  return result == 0.0 ? __builtin_copysign(0.0, x) : result;
}
FUNCTION(double, __castor_cospi)(double x) { return cos_of(reduce_half_turns(x)) + 0.0; }
FUNCTION(float, __castor_sinpif)(float x) {
  const float result = sin_of_single(reduce_half_turns(x));
  return result == 0.0f ? __builtin_copysignf(0.0f, x) : result;
}
FUNCTION(float, __castor_cospif)(float x) { return cos_of_single(reduce_half_turns(x)) + 0.0f; }

/// atan of t = y / x, 0 <= y, 0 <= x, not both zero or infinite: octant by octant, then towards zero by pi/8.
INLINE Pair atan_quotient(double y, double x) {
  const bool swap = y > x;
  const double n = swap ? x : y, d = swap ? y : x;
  // atan(n/d) = pi/4 + atan((n - d) / (n + d))
  const bool far = n > d * 0.41421356237309503;
  const double top = far ? n - d : n, bottom = far ? n + d : d;
  const double t = top / bottom;
  const double t_low = fma(-t, bottom, top) / bottom;
  const double z = t * t;
  const double small = fma(t * z, polynomial(kAtan, z), t_low);
  const Pair quarter = {kPi_0 * 0.25, kPi_1 * 0.25};
  const Pair base = far ? quarter : Pair{0.0, 0.0};
  Pair result = sum(base, Pair{t, small});
  if (swap) result = sum(Pair{kPi_0 * 0.5, kPi_1 * 0.5}, Pair{-result.high, -result.low});
  return result;
}

INLINE double atan_double(double x) {
  const double a = __builtin_fabs(x);
  if (a != a) return x;
  const Pair r = a == infinity() ? Pair{kPi_0 * 0.5, kPi_1 * 0.5} : atan_quotient(a, 1.0);
  return __builtin_copysign(r.high + r.low, x);
}

INLINE double atan2_double(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a == infinity() && b == infinity()) a = b = 1.0;
  if (a == infinity()) a = 1.0, b = 0.0;
  if (b == infinity()) b = 1.0, a = 0.0;
  // Far from the ends of the range, so that no quotient or sum leaves it.
  const double unit = __builtin_fmax(a, b) > 0x1p1000 ? 0x1p-100 : __builtin_fmax(a, b) < 0x1p-900 ? 0x1p100 : 1.0;
  Pair r = b == 0.0 ? Pair{0.0, 0.0} : atan_quotient(b * unit, a * unit);
  if (__builtin_signbit(x) != 0) r = sum(Pair{kPi_0, kPi_1}, Pair{-r.high, -r.low});
  return __builtin_copysign(r.high + r.low, y);
}

/// asin(x) for |x| <= 1/2, with a low part of x.
INLINE double asin_small(double x, double low) {
  const double z = x * x;
  return x + fma(x * z, polynomial(kAsin, z), low);
}

/// sqrt((1 - a) / 2), in two parts.
INLINE Pair half_chord(double a) {
  const double z = 0.5 * (1.0 - a), root = __builtin_sqrt(z);
  return {root, root == 0.0 ? 0.0 : fma(-root, root, z) / (2.0 * root)};
}

INLINE double asin_double(double x) {
  const double a = __builtin_fabs(x);
  if (a > 1.0) return not_a_number();
  if (a <= 0.5) return a == 0.0 ? x : asin_small(x, 0.0);
  const Pair r = half_chord(a);
  const double small = asin_small(r.high, r.low);
  return __builtin_copysign(kPi_0 * 0.5 - (2.0 * small - kPi_1 * 0.5), x);
}

INLINE double acos_double(double x) {
  const double a = __builtin_fabs(x);
  if (a > 1.0) return not_a_number();
  if (a <= 0.5) return kPi_0 * 0.5 - (asin_small(x, 0.0) - kPi_1 * 0.5);
  const Pair r = half_chord(a);
  const double small = 2.0 * asin_small(r.high, r.low);
  return x > 0.0 ? small : kPi_0 - (small - kPi_1);
}

FUNCTION(double, atan)(double x) { return atan_double(x); }
FUNCTION(double, atan2)(double y, double x) { return atan2_double(y, x); }
FUNCTION(double, asin)(double x) { return asin_double(x); }
FUNCTION(double, acos)(double x) { return acos_double(x); }
FUNCTION(float, atanf)(float x) { return static_cast<float>(atan_double(x)); }
FUNCTION(float, atan2f)(float y, float x) { return static_cast<float>(atan2_double(y, x)); }
FUNCTION(float, asinf)(float x) { return static_cast<float>(asin_double(x)); }
FUNCTION(float, acosf)(float x) { return static_cast<float>(acos_double(x)); }
