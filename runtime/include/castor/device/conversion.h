// Conversions with a rounding of their own (CUDA Math API, "Type Casting Intrinsics").
#pragma once

#define CASTOR_CONVERT(rd, rm)                                                                  \
  CASTOR_DEVICE int __float2int_##rd(float x) { return __nvvm_f2i_##rm(x); }                    \
  CASTOR_DEVICE unsigned int __float2uint_##rd(float x) { return __nvvm_f2ui_##rm(x); }         \
  CASTOR_DEVICE long long __float2ll_##rd(float x) { return __nvvm_f2ll_##rm(x); }              \
  CASTOR_DEVICE unsigned long long __float2ull_##rd(float x) { return __nvvm_f2ull_##rm(x); }   \
  CASTOR_DEVICE int __double2int_##rd(double x) { return __nvvm_d2i_##rm(x); }                  \
  CASTOR_DEVICE unsigned int __double2uint_##rd(double x) { return __nvvm_d2ui_##rm(x); }       \
  CASTOR_DEVICE long long __double2ll_##rd(double x) { return __nvvm_d2ll_##rm(x); }            \
  CASTOR_DEVICE unsigned long long __double2ull_##rd(double x) { return __nvvm_d2ull_##rm(x); } \
  CASTOR_DEVICE float __double2float_##rd(double x) { return __nvvm_d2f_##rm(x); }              \
  CASTOR_DEVICE float __int2float_##rd(int x) { return __nvvm_i2f_##rm(x); }                    \
  CASTOR_DEVICE float __uint2float_##rd(unsigned int x) { return __nvvm_ui2f_##rm(x); }         \
  CASTOR_DEVICE float __ll2float_##rd(long long x) { return __nvvm_ll2f_##rm(x); }              \
  CASTOR_DEVICE float __ull2float_##rd(unsigned long long x) { return __nvvm_ull2f_##rm(x); }   \
  CASTOR_DEVICE double __ll2double_##rd(long long x) { return __nvvm_ll2d_##rm(x); }            \
  CASTOR_DEVICE double __ull2double_##rd(unsigned long long x) { return __nvvm_ull2d_##rm(x); }
CASTOR_CONVERT(rn, rn)
CASTOR_CONVERT(rz, rz)
CASTOR_CONVERT(ru, rp)
CASTOR_CONVERT(rd, rm)
#undef CASTOR_CONVERT
CASTOR_DEVICE double __int2double_rn(int x) { return x; }
CASTOR_DEVICE double __uint2double_rn(unsigned int x) { return x; }
