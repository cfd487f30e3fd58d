// Reduction of angles and the kernels of sine and cosine.
#pragma once

#include "compiler/devicelib/coefficients.h"
#include "compiler/devicelib/device.h"

/// angle = quadrant * pi/2 + (high + low), |high| <= pi/4.
struct Angle {
  double high, low;
  int quadrant;
};

/// |x| < 2^20: k * pi/2 in parts of 33 bits, so that the first products are exact (Cody and Waite).
INLINE Angle reduce_small(double x) {
  const double k = __builtin_rint(x * kTwoOverPi);
  const double a = fma(-k, kPiOver2_0, x);
  const Pair b = sum(a, -k * kPiOver2_1);
  const Pair third = product(k, kPiOver2_2);
  const Pair c = sum(b.high, -third.high);
  const Pair r = sum(c.high, c.low + (b.low - (third.low + k * kPiOver2_3)));
  return {r.high, r.low, static_cast<int>(k) & 3};
}

/// Any finite x: the 190 bits of x * 2/pi that matter, from a table (Payne and Hanek).
INLINE Angle reduce_large(double x) {
  using Wide = unsigned __int128;
  const long long bits = bits_of(x) & 0x7fffffffffffffffll;
  const unsigned long long mantissa = (bits & 0xfffffffffffffll) | 0x10000000000000ull;
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  const int start = exponent - 2 + 64;  // the table has 64 zeros first; bits before have a weight of 4 or more
  const int word = start >> 6, shift = start & 63;
  unsigned long long window[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const Wide two = (static_cast<Wide>(kTwoOverPiWords[word + i]) << 64) | kTwoOverPiWords[word + i + 1];
    window[i] = static_cast<unsigned long long>((two << shift) >> 64);
  }
  const Wide low = static_cast<Wide>(mantissa) * window[2];
  const Wide top =
      (static_cast<Wide>(mantissa * window[0]) << 64) + static_cast<Wide>(mantissa) * window[1] + (low >> 64);
  const Wide fraction = top << 2;
  const auto signed_fraction = static_cast<__int128>(fraction);
  const int quadrant = static_cast<int>(top >> 126) + static_cast<int>(fraction >> 127);
  const long long high_word = static_cast<long long>(signed_fraction >> 64);
  const double high = static_cast<double>(high_word);
  const double low_part = static_cast<double>(high_word - static_cast<long long>(high)) +
                          static_cast<double>(static_cast<unsigned long long>(signed_fraction)) * 0x1p-64;
  const Pair turns = sum(high * 0x1p-64, low_part * 0x1p-64);
  const Pair half_pi = {kPi_0 * 0.5, kPi_1 * 0.5};
  const Pair r = product(turns, half_pi);
  const bool negative = bits_of(x) < 0;
  return {negative ? -r.high : r.high, negative ? -r.low : r.low, (negative ? -quadrant : quadrant) & 3};
}

INLINE Angle reduce(double x) {
  if (__builtin_fabs(x) < 0x1p20) return reduce_small(x);
  if (__builtin_fabs(x) < infinity()) return reduce_large(x);
  return {not_a_number(), 0.0, 0};
}

/// sin(high + low) for |high| <= pi/4.
INLINE double sin_kernel(double x, double low) {
  const double z = x * x;
  const double cubed = z * x;
  return x + fma(cubed, polynomial(kSin, z), fma(-0.5 * z, low, low));
}
INLINE double cos_kernel(double x, double low) {
  const double z = x * x;
  const double half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + fma(z * z, polynomial(kCos, z), -x * low));
}

INLINE double sin_single(double x) {
  const double z = x * x;
  return fma(z * x, polynomial(kSinSingle, z), x);
}
INLINE double cos_single(double x) {
  const double z = x * x;
  return fma(z * z, polynomial(kCosSingle, z), fma(z, -0.5, 1.0));
}

INLINE double sin_of(Angle a) {
  const double s = (a.quadrant & 1) != 0 ? cos_kernel(a.high, a.low) : sin_kernel(a.high, a.low);
  return (a.quadrant & 2) != 0 ? -s : s;
}
INLINE double cos_of(Angle a) {
  const double c = (a.quadrant & 1) != 0 ? sin_kernel(a.high, a.low) : cos_kernel(a.high, a.low);
  return ((a.quadrant + 1) & 2) != 0 ? -c : c;
}
INLINE float sin_of_single(Angle a) {
  const double s = (a.quadrant & 1) != 0 ? cos_single(a.high) : sin_single(a.high);
  return static_cast<float>((a.quadrant & 2) != 0 ? -s : s);
}
INLINE float cos_of_single(Angle a) {
  const double c = (a.quadrant & 1) != 0 ? sin_single(a.high) : cos_single(a.high);
  return static_cast<float>(((a.quadrant + 1) & 2) != 0 ? -c : c);
}

/// For single precision two parts of pi/2 are enough.
INLINE Angle reduce_single(float x) {
  const double wide = x;
  if (!(__builtin_fabs(wide) < 0x1p20)) return reduce(wide);
  const double k = __builtin_rint(wide * kTwoOverPi);
  return {fma(-k, kPi_1 * 0.5, fma(-k, kPi_0 * 0.5, wide)), 0.0, static_cast<int>(k) & 3};
}

/// x in half turns: sin(pi x), cos(pi x).
INLINE Angle reduce_half_turns(double x) {
  const double whole = __builtin_rint(2.0 * x);
  const double rest = fma(-0.5, whole, x);
  const Pair r = product(Pair{rest, 0.0}, Pair{kPi_0, kPi_1});
  // The quadrant of a huge integer is that of its remainder by 4.
  const double quadrant = whole - 4.0 * __builtin_floor(whole * 0.25);
  const bool finite = __builtin_fabs(x) < infinity();
  return {finite ? r.high : not_a_number(), r.low, finite ? static_cast<int>(quadrant) : 0};
}
