// What the device library's sources share: they see no CUDA header, only the compiler. Tests compile them for the host too,
// under other names, to compare with MPFR.
#pragma once

#if defined(__CUDA__)
#define __device__ __attribute__((device))
#define FUNCTION(type, name) extern "C" __device__ type name
#define INLINE static __device__ inline __attribute__((always_inline))
#else
#define FUNCTION(type, name) extern "C" type castor_host_##name
#define INLINE static inline __attribute__((always_inline))
#endif

INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE long long bits_of(double x) { return __builtin_bit_cast(long long, x); }
INLINE unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }
INLINE double double_of(long long bits) { return __builtin_bit_cast(double, bits); }
INLINE float float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }
INLINE double infinity() { return __builtin_inf(); }
INLINE double not_a_number() { return __builtin_nan(""); }

/// Constant term first.
template <int N>
INLINE double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
#pragma unroll
  for (int i = N - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}

/// 2^k, -1022 <= k <= 1023.
INLINE double power_of_two(int k) { return double_of(static_cast<long long>(k + 1023) << 52); }
/// x * 2^k rounded once, |k| <= 2044.
INLINE double scale(double x, int k) {
  const int half = k >> 1;
  return x * power_of_two(half) * power_of_two(k - half);
}

/// A sum of two doubles, the second below half a unit of the first.
struct Pair {
  double high, low;
};
INLINE Pair sum(double a, double b) {
  const double s = a + b, part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}
INLINE Pair product(double a, double b) {
  const double p = a * b;
  return {p, fma(a, b, -p)};
}
INLINE Pair product(Pair a, Pair b) {
  const Pair p = product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
INLINE Pair sum(Pair a, Pair b) {
  const Pair s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}
