// Error and gamma functions.
#include "compiler/devicelib/exponential.h"
#include "compiler/devicelib/logarithm.h"
#include "compiler/devicelib/trigonometric.h"

/// erfc(x) * e^(x^2) for x >= 1/2.
INLINE double erfcx_positive(double x) {
  const double t = (x - 2.5) / (x + 2.5);
  return polynomial(kErfcx, t) / (1.0 + 2.0 * x);
}
/// e^(-x^2), the square in full.
INLINE double exp_minus_square(double x) {
  const Pair square = product(x, x);
  return exp_with_tail(-square.high, -square.low);
}
INLINE double erf_small(double x) { return fma(x, polynomial(kErf, x * x), x); }
INLINE double erfc_large(double x) {
  const double limited = __builtin_fmin(x, 28.0);
  return exp_minus_square(limited) * erfcx_positive(limited);
}

INLINE double erf_double(double x) {
  const double a = __builtin_fabs(x);
  if (a != a) return x;
  return a < 0.75 ? erf_small(x) : __builtin_copysign(1.0 - erfc_large(a), x);
}
INLINE double erfc_double(double x) {
  if (x != x) return x;
  if (x < 0.5) return x > -0.75 ? 1.0 - erf_small(x) : 2.0 - erfc_large(-x);
  return erfc_large(x);
}
INLINE double erfcx_double(double x) {
  if (x != x) return x;
  if (x < 0.5) return exp_with_tail(x * x, 0.0) * erfc_double(x);
  // 1 / (x sqrt(pi)) and its first corrections, beyond the fit.
  const double z = 1.0 / (x * x);
  return x < 25.0 ? erfcx_positive(x) : (0.5 * kTwoOverSqrtPi / x) * fma(z, fma(z, fma(z, -1.875, 0.75), -0.5), 1.0);
}
FUNCTION(double, erf)(double x) { return erf_double(x); }
FUNCTION(double, erfc)(double x) { return erfc_double(x); }
FUNCTION(float, erff)(float x) { return static_cast<float>(erf_double(x)); }
FUNCTION(float, erfcf)(float x) { return static_cast<float>(erfc_double(x)); }
FUNCTION(double, __castor_erfcx)(double x) { return erfcx_double(x); }
FUNCTION(float, __castor_erfcxf)(float x) { return static_cast<float>(erfcx_double(x)); }
FUNCTION(double, __castor_normcdf)(double x) { return 0.5 * erfc_double(x * -0.70710678118654752440); }
FUNCTION(float, __castor_normcdff)(float x) {
  return static_cast<float>(0.5 * erfc_double(x * -0.70710678118654752440));
}

/// Inverse of erf: a coarse start, then Halley's steps on erf or erfc themselves (x > 0: solve 1 - erf = q).
INLINE double erfinv_positive(double p, double q) {
  // Giles-like start: w = -log(1 - p^2).
  const double w = -log_double(p * q + q);
  double x = w < 5.0 ? p * (0.8862269254527580 + w * (0.2382 + 0.0035 * w))
                     : __builtin_sqrt(w - 0.5 * log_double(w * 3.14159265358979));
#pragma unroll 1
  for (int i = 0; i < 5; ++i) {
    const double error = p < 0.5 ? erf_double(x) - p : q - erfc_double(x);
    const double u = error / (kTwoOverSqrtPi * exp_minus_square(x));
    x -= u / (1.0 + x * u);
  }
  return x;
}
INLINE double erfinv_double(double p) {
  const double a = __builtin_fabs(p);
  if (!(a <= 1.0)) return not_a_number();
  if (a == 1.0) return __builtin_copysign(infinity(), p);
  if (a < 0x1p-30) return p / kTwoOverSqrtPi;
  return __builtin_copysign(erfinv_positive(a, 1.0 - a), p);
}
INLINE double erfcinv_double(double q) {
  if (!(q >= 0.0 && q <= 2.0)) return not_a_number();
  if (q == 0.0 || q == 2.0) return q == 0.0 ? infinity() : -infinity();
  if (q == 1.0) return 0.0;
  return q < 1.0 ? erfinv_positive(1.0 - q, q) : -erfinv_positive(q - 1.0, 2.0 - q);
}
FUNCTION(double, __castor_erfinv)(double p) { return erfinv_double(p); }
FUNCTION(float, __castor_erfinvf)(float p) { return static_cast<float>(erfinv_double(p)); }
FUNCTION(double, __castor_erfcinv)(double q) { return erfcinv_double(q); }
FUNCTION(float, __castor_erfcinvf)(float q) { return static_cast<float>(erfcinv_double(q)); }
FUNCTION(double, __castor_normcdfinv)(double p) { return -1.4142135623730951 * erfcinv_double(2.0 * p); }
FUNCTION(float, __castor_normcdfinvf)(float p) {
  return static_cast<float>(-1.4142135623730951 * erfcinv_double(2.0 * static_cast<double>(p)));
}

/// log gamma(x) for x >= 10 (Stirling).
INLINE double stirling_correction(double x) {
  const double z = 1.0 / x;
  return z * polynomial(kStirling, z * z);
}

/// gamma(x) for 0 < x.
INLINE double gamma_positive(double x) {
  if (x > 172.0) return infinity();
  if (x < 20.0) {
    // Into [1, 2] by the recurrence.
    double factor = 1.0;
    while (x > 2.0) factor *= x -= 1.0;
    double divisor = 1.0;
    while (x < 1.0) divisor *= x, x += 1.0;
    return polynomial(kGamma, x - 1.5) * factor / divisor;
  }
  const Decomposed d = decompose(x);
  const Pair logarithm = sum(sum(d.k * kLn2_0, d.k * kLn2_1), log_pair(d.m));
  const Pair power = sum(product(Pair{x - 0.5, 0.0}, logarithm), Pair{-x, kHalfLog2Pi + stirling_correction(x)});
  return exp_with_tail(power.high, power.low);
}
INLINE double gamma_double(double x) {
  if (x != x || x == infinity()) return x;
  if (x == 0.0) return 1.0 / x;
  if (x > 0.0) return gamma_positive(x);
  if (__builtin_trunc(x) == x) return not_a_number();
  // gamma(x) gamma(-x) = -pi / (x sin(pi x))
  const double a = -x, sine = sin_of(reduce_half_turns(a));
  const double g = gamma_positive(a);
  if (g == infinity()) return sine > 0.0 ? -0.0 : 0.0;
  return kPi_0 / (x * sine * g);
}

INLINE double lgamma_positive(double x) {
  if (x < 0.5) return x * polynomial(kLgamma, x) - log_double(x);
  if (x < 1.5) {
    const double u = x - 1.0;
    return u * polynomial(kLgamma, u);
  }
  if (x < 2.5) {
    const double u = x - 2.0;
    return log1p_double(u) + u * polynomial(kLgamma, u);
  }
  if (x < 10.0) {
    // Into [1.5, 2.5] by the recurrence: a sum of positive terms.
    double product = 1.0;
    while (x > 2.5) product *= x -= 1.0;
    const double u = x - 2.0;
    return log_double(product) + (log1p_double(u) + u * polynomial(kLgamma, u));
  }
  return (x - 0.5) * (log_double(x) - 1.0) + ((kHalfLog2Pi - 0.5) + stirling_correction(x));
}
INLINE double lgamma_double(double x) {
  const double a = __builtin_fabs(x);
  if (x != x) return x;
  if (a == infinity() || a == 0.0) return infinity();
  if (x > 0.0) return x > 0x1p1014 ? infinity() : lgamma_positive(x);
  if (__builtin_trunc(x) == x) return infinity();
  const double sine = __builtin_fabs(sin_of(reduce_half_turns(a)));
  return log_double(kPi_0 / (a * sine)) - lgamma_positive(a);
}
FUNCTION(double, tgamma)(double x) { return gamma_double(x); }
FUNCTION(float, tgammaf)(float x) { return static_cast<float>(gamma_double(x)); }
FUNCTION(double, lgamma)(double x) { return lgamma_double(x); }
FUNCTION(float, lgammaf)(float x) { return static_cast<float>(lgamma_double(x)); }
