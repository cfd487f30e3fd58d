// Mathematical functions (CUDA Math API, "Single Precision" and "Double Precision Mathematical Functions"). The builtins
// become instructions or calls of the device library (compiler/devicelib); overloads follow in __clang_cuda_cmath.h.
#pragma once

#define CASTOR_BUILTIN_1(name)                                        \
  CASTOR_DEVICE double name(double x) { return __builtin_##name(x); } \
  CASTOR_DEVICE float name##f(float x) { return __builtin_##name##f(x); }
#define CASTOR_BUILTIN_2(name)                                                     \
  CASTOR_DEVICE double name(double x, double y) { return __builtin_##name(x, y); } \
  CASTOR_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); }

CASTOR_BUILTIN_1(acos)
CASTOR_BUILTIN_1(acosh)
CASTOR_BUILTIN_1(asin)
CASTOR_BUILTIN_1(asinh)
CASTOR_BUILTIN_1(atan)
CASTOR_BUILTIN_1(atanh)
CASTOR_BUILTIN_1(cbrt)
CASTOR_BUILTIN_1(ceil)
CASTOR_BUILTIN_1(cosh)
CASTOR_BUILTIN_1(erf)
CASTOR_BUILTIN_1(erfc)
CASTOR_BUILTIN_1(exp2)
CASTOR_BUILTIN_1(expm1)
CASTOR_BUILTIN_1(fabs)
CASTOR_BUILTIN_1(floor)
CASTOR_BUILTIN_1(lgamma)
CASTOR_BUILTIN_1(log1p)
CASTOR_BUILTIN_1(logb)
CASTOR_BUILTIN_1(nearbyint)
CASTOR_BUILTIN_1(rint)
CASTOR_BUILTIN_1(round)
CASTOR_BUILTIN_1(sinh)
CASTOR_BUILTIN_1(sqrt)
CASTOR_BUILTIN_1(tanh)
CASTOR_BUILTIN_1(tgamma)
CASTOR_BUILTIN_1(trunc)
CASTOR_BUILTIN_2(atan2)
CASTOR_BUILTIN_2(copysign)
CASTOR_BUILTIN_2(fdim)
CASTOR_BUILTIN_2(fmax)
CASTOR_BUILTIN_2(fmin)
CASTOR_BUILTIN_2(fmod)
CASTOR_BUILTIN_2(hypot)
CASTOR_BUILTIN_2(nextafter)
CASTOR_BUILTIN_2(remainder)

// Those that have a fast single-precision form under -use_fast_math.
#if defined(__USE_FAST_MATH__)
#define CASTOR_FAST_OR_BUILTIN(name) __##name
#else
#define CASTOR_FAST_OR_BUILTIN(name) __builtin_##name
#endif
#define CASTOR_FAST_1(name)                                           \
  CASTOR_DEVICE double name(double x) { return __builtin_##name(x); } \
  CASTOR_DEVICE float name##f(float x) { return CASTOR_FAST_OR_BUILTIN(name##f)(x); }
CASTOR_FAST_1(sin)
CASTOR_FAST_1(cos)
CASTOR_FAST_1(tan)
CASTOR_FAST_1(exp)
CASTOR_FAST_1(exp10)
CASTOR_FAST_1(log)
CASTOR_FAST_1(log2)
CASTOR_FAST_1(log10)
CASTOR_DEVICE double pow(double x, double y) { return __builtin_pow(x, y); }
CASTOR_DEVICE float powf(float x, float y) { return CASTOR_FAST_OR_BUILTIN(powf)(x, y); }
#undef CASTOR_FAST_1
#undef CASTOR_FAST_OR_BUILTIN

CASTOR_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
CASTOR_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
CASTOR_DEVICE double powi(double x, int n) { return __builtin_powi(x, n); }
CASTOR_DEVICE float powif(float x, int n) { return __builtin_powif(x, n); }
CASTOR_DEVICE double frexp(double x, int* e) { return __builtin_frexp(x, e); }
CASTOR_DEVICE float frexpf(float x, int* e) { return __builtin_frexpf(x, e); }
CASTOR_DEVICE double ldexp(double x, int e) { return __builtin_ldexp(x, e); }
CASTOR_DEVICE float ldexpf(float x, int e) { return __builtin_ldexpf(x, e); }
CASTOR_DEVICE double scalbn(double x, int e) { return __builtin_ldexp(x, e); }
CASTOR_DEVICE float scalbnf(float x, int e) { return __builtin_ldexpf(x, e); }
CASTOR_DEVICE int __castor_clamp_exponent(long e) {
  return e > 100000 ? 100000 : e < -100000 ? -100000 : static_cast<int>(e);
}
CASTOR_DEVICE double scalbln(double x, long e) { return __builtin_ldexp(x, __castor_clamp_exponent(e)); }
CASTOR_DEVICE float scalblnf(float x, long e) { return __builtin_ldexpf(x, __castor_clamp_exponent(e)); }
CASTOR_DEVICE double modf(double x, double* whole) { return __builtin_modf(x, whole); }
CASTOR_DEVICE float modff(float x, float* whole) { return __builtin_modff(x, whole); }
CASTOR_DEVICE double remquo(double x, double y, int* q) { return __builtin_remquo(x, y, q); }
CASTOR_DEVICE float remquof(float x, float y, int* q) { return __builtin_remquof(x, y, q); }
CASTOR_DEVICE int ilogb(double x) { return __builtin_ilogb(x); }
CASTOR_DEVICE int ilogbf(float x) { return __builtin_ilogbf(x); }
CASTOR_DEVICE double nan(const char*) { return __builtin_nan(""); }
CASTOR_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
CASTOR_DEVICE int abs(int x) { return __builtin_abs(x); }
CASTOR_DEVICE long labs(long x) { return __builtin_labs(x); }
CASTOR_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
CASTOR_DEVICE long lrint(double x) { return __nvvm_d2ll_rn(x); }
CASTOR_DEVICE long lrintf(float x) { return __nvvm_f2ll_rn(x); }
CASTOR_DEVICE long long llrint(double x) { return __nvvm_d2ll_rn(x); }
CASTOR_DEVICE long long llrintf(float x) { return __nvvm_f2ll_rn(x); }
CASTOR_DEVICE long lround(double x) { return __nvvm_d2ll_rz(__builtin_round(x)); }
CASTOR_DEVICE long lroundf(float x) { return __nvvm_f2ll_rz(__builtin_roundf(x)); }
CASTOR_DEVICE long long llround(double x) { return __nvvm_d2ll_rz(__builtin_round(x)); }
CASTOR_DEVICE long long llroundf(float x) { return __nvvm_f2ll_rz(__builtin_roundf(x)); }

// The names that classification has in CUDA's own headers.
CASTOR_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
CASTOR_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
CASTOR_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
CASTOR_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }
CASTOR_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
CASTOR_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
CASTOR_DEVICE int __signbitf(float x) { return __builtin_signbitf(x); }
CASTOR_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }

// The single-precision overloads that __clang_cuda_cmath.h leaves to CUDA's headers.
#define CASTOR_OVERLOAD_1(name) \
  CASTOR_DEVICE float name(float x) { return name##f(x); }
#define CASTOR_OVERLOAD_2(name) \
  CASTOR_DEVICE float name(float x, float y) { return name##f(x, y); }
CASTOR_OVERLOAD_1(acosh)
CASTOR_OVERLOAD_1(asinh)
CASTOR_OVERLOAD_1(atanh)
CASTOR_OVERLOAD_1(cbrt)
CASTOR_OVERLOAD_1(erf)
CASTOR_OVERLOAD_1(erfc)
CASTOR_OVERLOAD_1(exp2)
CASTOR_OVERLOAD_1(expm1)
CASTOR_OVERLOAD_1(lgamma)
CASTOR_OVERLOAD_1(log1p)
CASTOR_OVERLOAD_1(log2)
CASTOR_OVERLOAD_1(logb)
CASTOR_OVERLOAD_1(nearbyint)
CASTOR_OVERLOAD_1(rint)
CASTOR_OVERLOAD_1(round)
CASTOR_OVERLOAD_1(tgamma)
CASTOR_OVERLOAD_1(trunc)
CASTOR_OVERLOAD_2(copysign)
CASTOR_OVERLOAD_2(fdim)
CASTOR_OVERLOAD_2(fmax)
CASTOR_OVERLOAD_2(fmin)
CASTOR_OVERLOAD_2(hypot)
CASTOR_OVERLOAD_2(nextafter)
CASTOR_OVERLOAD_2(remainder)
CASTOR_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
CASTOR_DEVICE float remquo(float x, float y, int* q) { return remquof(x, y, q); }
CASTOR_DEVICE float scalbn(float x, int e) { return scalbnf(x, e); }
CASTOR_DEVICE float scalbln(float x, long e) { return scalblnf(x, e); }
CASTOR_DEVICE int ilogb(float x) { return ilogbf(x); }
CASTOR_DEVICE long lrint(float x) { return lrintf(x); }
CASTOR_DEVICE long lround(float x) { return lroundf(x); }
CASTOR_DEVICE long long llrint(float x) { return llrintf(x); }
CASTOR_DEVICE long long llround(float x) { return llroundf(x); }

// What CUDA has beyond C, in the device library. Host code may call the commonest too.
#define CASTOR_LIBRARY_1(name)                                                    \
  extern "C" __device__ __attribute__((const)) double __castor_##name(double x);  \
  extern "C" __device__ __attribute__((const)) float __castor_##name##f(float x); \
  CASTOR_DEVICE double name(double x) { return __castor_##name(x); }              \
  CASTOR_DEVICE float name##f(float x) { return __castor_##name##f(x); }          \
  CASTOR_OVERLOAD_1(name)
CASTOR_LIBRARY_1(rsqrt)
CASTOR_LIBRARY_1(rcbrt)
CASTOR_LIBRARY_1(sinpi)
CASTOR_LIBRARY_1(cospi)
CASTOR_LIBRARY_1(erfinv)
CASTOR_LIBRARY_1(erfcinv)
CASTOR_LIBRARY_1(erfcx)
CASTOR_LIBRARY_1(normcdf)
CASTOR_LIBRARY_1(normcdfinv)
CASTOR_LIBRARY_1(cyl_bessel_i0)
CASTOR_LIBRARY_1(cyl_bessel_i1)
CASTOR_LIBRARY_1(j0)
CASTOR_LIBRARY_1(j1)
CASTOR_LIBRARY_1(y0)
CASTOR_LIBRARY_1(y1)
CASTOR_OVERLOAD_1(exp10)
#undef CASTOR_LIBRARY_1
#undef CASTOR_OVERLOAD_1
#undef CASTOR_OVERLOAD_2

CASTOR_DEVICE void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
CASTOR_DEVICE void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
CASTOR_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
CASTOR_DEVICE void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
CASTOR_DEVICE void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
CASTOR_DEVICE double fdivide(double x, double y) { return x / y; }
CASTOR_DEVICE float fdividef(float x, float y) { return x / y; }
CASTOR_DEVICE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
CASTOR_DEVICE float norm3df(float x, float y, float z) {
  return static_cast<float>(sqrt(double(x) * x + double(y) * y + double(z) * z));
}
CASTOR_DEVICE double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
CASTOR_DEVICE float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(sqrt(double(x) * x + double(y) * y + double(z) * z + double(w) * w));
}
CASTOR_DEVICE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
CASTOR_DEVICE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
CASTOR_DEVICE double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
CASTOR_DEVICE float rnorm4df(float x, float y, float z, float w) { return 1.0f / norm4df(x, y, z, w); }
CASTOR_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
CASTOR_DEVICE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
#undef CASTOR_BUILTIN_1
#undef CASTOR_BUILTIN_2

// The same names on the host, where the C library lacks them.
static __host__ __inline__ double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static __host__ __inline__ float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static __host__ __inline__ float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
static __host__ __inline__ double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
static __host__ __inline__ float rcbrtf(float x) { return 1.0f / __builtin_cbrtf(x); }
static __host__ __inline__ double sinpi(double x) {
  return __builtin_sin(3.14159265358979323846 * __builtin_remainder(x, 2.0));
}
static __host__ __inline__ float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
static __host__ __inline__ double cospi(double x) {
  return __builtin_cos(3.14159265358979323846 * __builtin_remainder(x, 2.0));
}
static __host__ __inline__ float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
static __host__ __inline__ double normcdf(double x) { return 0.5 * __builtin_erfc(-0.70710678118654752440 * x); }
static __host__ __inline__ float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
static __host__ __inline__ float fdividef(float x, float y) { return x / y; }
static __host__ __inline__ double norm3d(double x, double y, double z) { return __builtin_sqrt(x * x + y * y + z * z); }
static __host__ __inline__ float norm3df(float x, float y, float z) { return __builtin_sqrtf(x * x + y * y + z * z); }
