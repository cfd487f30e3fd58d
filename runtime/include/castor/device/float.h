// Floating-point intrinsics (CUDA Math API, "Single Precision Intrinsics", "Double Precision Intrinsics"). The letters of the
// rounding: n nearest even, z towards zero, u up, d down. The rounded forms are never fused with others.
#pragma once

#define CASTOR_ROUNDED(rd, rm)                                                                           \
  CASTOR_DEVICE float __fadd_##rd(float x, float y) { return __nvvm_add_##rm##_f(x, y); }                \
  CASTOR_DEVICE float __fsub_##rd(float x, float y) { return __nvvm_add_##rm##_f(x, -y); }               \
  CASTOR_DEVICE float __fmul_##rd(float x, float y) { return __nvvm_mul_##rm##_f(x, y); }                \
  CASTOR_DEVICE float __fdiv_##rd(float x, float y) { return __nvvm_div_##rm##_f(x, y); }                \
  CASTOR_DEVICE float __fmaf_##rd(float x, float y, float z) { return __nvvm_fma_##rm##_f(x, y, z); }    \
  CASTOR_DEVICE float __frcp_##rd(float x) { return __nvvm_rcp_##rm##_f(x); }                            \
  CASTOR_DEVICE float __fsqrt_##rd(float x) { return __nvvm_sqrt_##rm##_f(x); }                          \
  CASTOR_DEVICE double __dadd_##rd(double x, double y) { return __nvvm_add_##rm##_d(x, y); }             \
  CASTOR_DEVICE double __dsub_##rd(double x, double y) { return __nvvm_add_##rm##_d(x, -y); }            \
  CASTOR_DEVICE double __dmul_##rd(double x, double y) { return __nvvm_mul_##rm##_d(x, y); }             \
  CASTOR_DEVICE double __ddiv_##rd(double x, double y) { return __nvvm_div_##rm##_d(x, y); }             \
  CASTOR_DEVICE double __fma_##rd(double x, double y, double z) { return __nvvm_fma_##rm##_d(x, y, z); } \
  CASTOR_DEVICE double __drcp_##rd(double x) { return __nvvm_rcp_##rm##_d(x); }                          \
  CASTOR_DEVICE double __dsqrt_##rd(double x) { return __nvvm_sqrt_##rm##_d(x); }
CASTOR_ROUNDED(rn, rn)
CASTOR_ROUNDED(rz, rz)
CASTOR_ROUNDED(ru, rp)
CASTOR_ROUNDED(rd, rm)
#undef CASTOR_ROUNDED
CASTOR_DEVICE float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

// Fast forms: a few instructions of approximate hardware.
CASTOR_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
CASTOR_DEVICE float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
CASTOR_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
CASTOR_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
CASTOR_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
CASTOR_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
CASTOR_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.30102999566398120f; }
CASTOR_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
CASTOR_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
CASTOR_DEVICE float __tanf(float x) { return __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x); }
CASTOR_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __nvvm_sin_approx_f(x);
  *cosine = __nvvm_cos_approx_f(x);
}
CASTOR_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
CASTOR_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
extern "C" __device__ __attribute__((const)) float __castor_op_tanh_s(float x);
CASTOR_DEVICE float __tanhf(float x) { return __castor_op_tanh_s(x); }
