// Remainders, exponents and neighbours of floating-point numbers: all exact.
#include "compiler/devicelib/device.h"

/// What differs between the two formats.
template <class T>
struct Format;
template <>
struct Format<double> {
  using Bits = unsigned long long;
  static constexpr int kMantissa = 52, kBias = 1023;
};
template <>
struct Format<float> {
  using Bits = unsigned;
  static constexpr int kMantissa = 23, kBias = 127;
};

template <class T>
using BitsOf = typename Format<T>::Bits;
template <class T>
INLINE BitsOf<T> raw(T x) {
  return __builtin_bit_cast(BitsOf<T>, x);
}

/// A finite number that is not zero: mantissa * 2^exponent, the mantissa's top bit at kMantissa.
template <class T>
struct Unpacked {
  BitsOf<T> mantissa;
  int exponent;
};
template <class T>
INLINE Unpacked<T> unpack(T x) {
  using F = Format<T>;
  const BitsOf<T> one = BitsOf<T>{1} << F::kMantissa;
  const BitsOf<T> bits = raw(x) & ~(BitsOf<T>{1} << (sizeof(T) * 8 - 1));
  BitsOf<T> mantissa = bits & (one - 1);
  int exponent = static_cast<int>(bits >> F::kMantissa);
  if (exponent != 0) return {mantissa | one, exponent - F::kBias - F::kMantissa};
  exponent = 1;
  while (mantissa < one) mantissa <<= 1, --exponent;
  return {mantissa, exponent - F::kBias - F::kMantissa};
}

INLINE double scale_exactly(double x, int k) {
  const int limited = k > 4200 ? 4200 : k < -4200 ? -4200 : k;
  // Parts of at most 2^1000. On the way down the last step alone may round: a part is applied while the rest is exact.
  double result = x;
  int rest = limited;
  while (rest > 1000) result *= 0x1p1000, rest -= 1000;
  while (rest < -960) result *= 0x1p-960 * 0x1p53, rest += 960 - 53;
  return result * power_of_two(rest);
}
INLINE float scale_exactly(float x, int k) {
  const int limited = k > 400 ? 400 : k < -400 ? -400 : k;
  return static_cast<float>(static_cast<double>(x) * power_of_two(limited));
}

/// x mod y with the quotient's low bits: |x| = q * |y| + r.
template <class T>
struct Division {
  T remainder;
  unsigned quotient;
};
template <class T>
INLINE Division<T> divide(T x, T y) {
  const T a = x < 0 ? -x : x, b = y < 0 ? -y : y;
  if (a < b) return {a, 0};
  Unpacked<T> n = unpack(a);
  const Unpacked<T> d = unpack(b);
  unsigned quotient = 0;
  BitsOf<T> rest = n.mantissa;
  for (int left = n.exponent - d.exponent;; --left) {
    const bool fits = rest >= d.mantissa;
    if (fits) rest -= d.mantissa;
    quotient = (quotient << 1) | (fits ? 1 : 0);
    if (left == 0 || rest == 0) {
      quotient = left < 32 ? quotient << left : 0;
      break;
    }
    rest <<= 1;
  }
  return {scale_exactly(static_cast<T>(rest), d.exponent), quotient};
}

template <class T>
INLINE bool no_remainder(T x, T y) {
  return x != x || y != y || __builtin_isinf(x) || y == 0;
}

template <class T>
INLINE T mod(T x, T y) {
  if (no_remainder(x, y)) return (x * y) / (x * y);
  if (__builtin_isinf(y) || x == 0) return x;
  const T r = divide(x, y).remainder;
  return __builtin_signbit(x) != 0 ? -r : r;
}
FUNCTION(double, fmod)(double x, double y) { return mod(x, y); }
FUNCTION(float, fmodf)(float x, float y) { return mod(x, y); }

/// The quotient rounded to nearest even.
template <class T>
INLINE T nearest_remainder(T x, T y, int* quotient) {
  *quotient = 0;
  if (no_remainder(x, y)) return (x * y) / (x * y);
  if (__builtin_isinf(y) || x == 0) return x;
  const T b = y < 0 ? -y : y;
  Division<T> d = divide(x, y);
  const T other = b - d.remainder;  // exact, or far from the tie
  const bool up = d.remainder > other || (d.remainder == other && (d.quotient & 1) != 0);
  const T r = up ? -other : d.remainder;
  const int q = static_cast<int>((d.quotient + (up ? 1 : 0)) & 0x7fffffff);
  const bool negative = __builtin_signbit(x) != 0;
  *quotient = negative == (__builtin_signbit(y) != 0) ? q : -q;
  return negative ? -r : r;
}
FUNCTION(double, remainder)(double x, double y) {
  int q;
  return nearest_remainder(x, y, &q);
}
FUNCTION(float, remainderf)(float x, float y) {
  int q;
  return nearest_remainder(x, y, &q);
}
FUNCTION(double, remquo)(double x, double y, int* q) { return nearest_remainder(x, y, q); }
FUNCTION(float, remquof)(float x, float y, int* q) { return nearest_remainder(x, y, q); }

FUNCTION(double, ldexp)(double x, int k) { return scale_exactly(x, k); }
FUNCTION(float, ldexpf)(float x, int k) { return scale_exactly(x, k); }

template <class T>
INLINE bool has_exponent(T x) {
  return x == x && !__builtin_isinf(x) && x != 0;
}
template <class T>
INLINE T fraction(T x, int* exponent) {
  *exponent = 0;
  if (!has_exponent(x)) return x;
  const Unpacked<T> u = unpack(x);
  *exponent = u.exponent + Format<T>::kMantissa + 1;
  return scale_exactly(x, -*exponent);
}
FUNCTION(double, frexp)(double x, int* e) { return fraction(x, e); }
FUNCTION(float, frexpf)(float x, int* e) { return fraction(x, e); }

template <class T>
INLINE T log_of_exponent(T x) {
  if (x == 0) return static_cast<T>(-infinity());
  if (!has_exponent(x)) return x * x;
  return static_cast<T>(unpack(x).exponent + Format<T>::kMantissa);
}
FUNCTION(double, logb)(double x) { return log_of_exponent(x); }
FUNCTION(float, logbf)(float x) { return log_of_exponent(x); }

template <class T>
INLINE int integer_log(T x) {
  if (x == 0 || x != x) return -2147483647 - 1;
  if (__builtin_isinf(x)) return 2147483647;
  return unpack(x).exponent + Format<T>::kMantissa;
}
FUNCTION(int, ilogb)(double x) { return integer_log(x); }
FUNCTION(int, ilogbf)(float x) { return integer_log(x); }

FUNCTION(double, modf)(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
FUNCTION(float, modff)(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

template <class T>
INLINE T next(T x, T y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  const BitsOf<T> sign = BitsOf<T>{1} << (sizeof(T) * 8 - 1);
  if (x == 0) return __builtin_bit_cast(T, (y < 0 ? sign : BitsOf<T>{0}) | 1);
  const bool away = (x < y) == (x > 0);
  return __builtin_bit_cast(T, away ? raw(x) + 1 : raw(x) - 1);
}
FUNCTION(double, nextafter)(double x, double y) { return next(x, y); }
FUNCTION(float, nextafterf)(float x, float y) { return next(x, y); }

FUNCTION(double, fdim)(double x, double y) { return x <= y ? 0.0 : x - y; }
FUNCTION(float, fdimf)(float x, float y) { return x <= y ? 0.0f : x - y; }
