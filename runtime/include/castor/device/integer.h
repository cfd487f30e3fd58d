// Integer intrinsics (CUDA Math API, "Integer Intrinsics").
#pragma once

extern "C" {
__device__ __attribute__((const)) unsigned int __castor_op_fsl_w(unsigned int low, unsigned int high,
                                                                 unsigned int shift);
__device__ __attribute__((const)) unsigned int __castor_op_fsr_w(unsigned int low, unsigned int high,
                                                                 unsigned int shift);
__device__ __attribute__((const)) int __castor_op_dp4a_ss(int a, int b, int c);
__device__ __attribute__((const)) int __castor_op_dp4a_su(int a, unsigned int b, int c);
__device__ __attribute__((const)) int __castor_op_dp4a_us(unsigned int a, int b, int c);
__device__ __attribute__((const)) unsigned int __castor_op_dp4a_uu(unsigned int a, unsigned int b, unsigned int c);
}

CASTOR_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
CASTOR_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
CASTOR_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
CASTOR_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
CASTOR_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
CASTOR_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CASTOR_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
CASTOR_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

/// Bit 3 of each selector is not used here, unlike in PTX's prmt.
CASTOR_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  return __nvvm_prmt(x, y, selector & 0x7777);
}
CASTOR_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return __castor_op_fsl_w(low, high, shift);
}
CASTOR_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return __castor_op_fsr_w(low, high, shift);
}
CASTOR_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __castor_op_fsl_w(low, high, shift);
}
CASTOR_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __castor_op_fsr_w(low, high, shift);
}

CASTOR_DEVICE int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
CASTOR_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
CASTOR_DEVICE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
CASTOR_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
CASTOR_DEVICE int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
CASTOR_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) { return __nvvm_mul24_ui(x, y); }
CASTOR_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
  return z + (x > y ? static_cast<unsigned int>(x) - y : static_cast<unsigned int>(y) - x);
}
CASTOR_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
CASTOR_DEVICE int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
CASTOR_DEVICE int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
CASTOR_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
CASTOR_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

CASTOR_DEVICE int __dp4a(int a, int b, int c) { return __castor_op_dp4a_ss(a, b, c); }
CASTOR_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return __castor_op_dp4a_uu(a, b, c);
}
CASTOR_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return __castor_op_dp4a_ss(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
CASTOR_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __castor_op_dp4a_uu(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
CASTOR_DEVICE int __dp2a_lo(int a, int b, int c) {
  return c + static_cast<short>(a) * static_cast<signed char>(b) + (a >> 16) * static_cast<signed char>(b >> 8);
}
CASTOR_DEVICE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
CASTOR_DEVICE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
CASTOR_DEVICE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return __dp2a_lo(a, b >> 16, c);
}
