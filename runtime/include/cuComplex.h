// Complex numbers for host and device.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// One family for float (suffix f) and one for double (no suffix). Quotient and absolute value scale their operands, so
// that no intermediate overflows where the result does not.
#define CASTOR_COMPLEX(real, type, make, suffix)                                                                   \
  static __inline__ __host__ __device__ real cuCreal##suffix(type x) { return x.x; }                               \
  static __inline__ __host__ __device__ real cuCimag##suffix(type x) { return x.y; }                               \
  static __inline__ __host__ __device__ type make(real r, real i) {                                                \
    type z;                                                                                                        \
    z.x = r;                                                                                                       \
    z.y = i;                                                                                                       \
    return z;                                                                                                      \
  }                                                                                                                \
  static __inline__ __host__ __device__ type cuConj##suffix(type x) { return make(x.x, -x.y); }                    \
  static __inline__ __host__ __device__ type cuCadd##suffix(type x, type y) { return make(x.x + y.x, x.y + y.y); } \
  static __inline__ __host__ __device__ type cuCsub##suffix(type x, type y) { return make(x.x - y.x, x.y - y.y); } \
  static __inline__ __host__ __device__ type cuCmul##suffix(type x, type y) {                                      \
    return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                                     \
  }                                                                                                                \
  static __inline__ __host__ __device__ type cuCdiv##suffix(type x, type y) {                                      \
    const real scale = 1 / (fabs##suffix(y.x) + fabs##suffix(y.y));                                                \
    const real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                                 \
    const real norm = 1 / (c * c + d * d);                                                                         \
    return make((a * c + b * d) * norm, (b * c - a * d) * norm);                                                   \
  }                                                                                                                \
  static __inline__ __host__ __device__ real cuCabs##suffix(type x) {                                              \
    const real a = fabs##suffix(x.x), b = fabs##suffix(x.y);                                                       \
    const real large = a > b ? a : b, small = a > b ? b : a;                                                       \
    if (large == 0 || !(large - large == 0)) return large + small; /* zero, infinite, not a number */              \
    const real ratio = small / large;                                                                              \
    return large * sqrt##suffix(1 + ratio * ratio);                                                                \
  }                                                                                                                \
  static __inline__ __host__ __device__ type cuCfma##suffix(type x, type y, type d) {                              \
    return make(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);                                         \
  }

CASTOR_COMPLEX(float, cuFloatComplex, make_cuFloatComplex, f)
CASTOR_COMPLEX(double, cuDoubleComplex, make_cuDoubleComplex, )
#undef CASTOR_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
  return make_cuDoubleComplex((double)c.x, (double)c.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return make_cuFloatComplex((float)c.x, (float)c.y);
}

#endif
