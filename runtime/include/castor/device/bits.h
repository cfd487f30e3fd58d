// Numbers as bits (CUDA Math API, "Type Casting Intrinsics").
#pragma once

CASTOR_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CASTOR_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
CASTOR_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
CASTOR_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
CASTOR_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
CASTOR_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
CASTOR_DEVICE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
CASTOR_DEVICE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
CASTOR_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((static_cast<long long>(high) << 32) | static_cast<unsigned int>(low));
}
