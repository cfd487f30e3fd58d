// 128-bit division and conversions, under the names that compilers use for them.
#include "compiler/devicelib/device.h"

using Unsigned = unsigned __int128;
using Signed = __int128;

INLINE int leading_zeros(Unsigned x) {
  const auto high = static_cast<unsigned long long>(x >> 64), low = static_cast<unsigned long long>(x);
  if (high != 0) return __builtin_clzll(high);
  return low != 0 ? 64 + __builtin_clzll(low) : 128;
}

struct Quotient {
  Unsigned quotient, remainder;
};

/// Bit by bit from the first that can be set.
INLINE Quotient divide(Unsigned n, Unsigned d) {
  if ((n >> 64) == 0 && (d >> 64) == 0) {
    const auto a = static_cast<unsigned long long>(n), b = static_cast<unsigned long long>(d);
    return {a / b, a % b};
  }
  Unsigned quotient = 0;
  for (int shift = leading_zeros(d) - leading_zeros(n); shift >= 0; --shift) {
    if (n >> shift >= d) {
      n -= d << shift;
      quotient |= Unsigned{1} << shift;
    }
  }
  return {quotient, n};
}
INLINE Unsigned magnitude(Signed x) { return x < 0 ? -static_cast<Unsigned>(x) : static_cast<Unsigned>(x); }

FUNCTION(Unsigned, __udivti3)(Unsigned n, Unsigned d) { return divide(n, d).quotient; }
FUNCTION(Unsigned, __umodti3)(Unsigned n, Unsigned d) { return divide(n, d).remainder; }
FUNCTION(Signed, __divti3)(Signed n, Signed d) {
  const Unsigned q = divide(magnitude(n), magnitude(d)).quotient;
  return static_cast<Signed>((n < 0) != (d < 0) ? -q : q);
}
FUNCTION(Signed, __modti3)(Signed n, Signed d) {
  const Unsigned r = divide(magnitude(n), magnitude(d)).remainder;
  return static_cast<Signed>(n < 0 ? -r : r);
}

/// Rounded once: the value is cut to 64 significant bits with the lost ones or-ed into the last.
INLINE double to_double(Unsigned x) {
  const int zeros = leading_zeros(x);
  if (zeros >= 64) return static_cast<double>(static_cast<unsigned long long>(x));
  const int shift = 64 - zeros;
  const auto top = static_cast<unsigned long long>(x >> shift);
  const bool lost = (x & ((Unsigned{1} << shift) - 1)) != 0;
  return static_cast<double>(top | (lost ? 1 : 0)) * power_of_two(shift);
}
INLINE float to_float(Unsigned x) {
  const int zeros = leading_zeros(x);
  if (zeros >= 64) return static_cast<float>(static_cast<unsigned long long>(x));
  const int shift = 64 - zeros;
  const auto top = static_cast<unsigned long long>(x >> shift);
  const bool lost = (x & ((Unsigned{1} << shift) - 1)) != 0;
  const float cut = static_cast<float>(top | (lost ? 1 : 0));
  return static_cast<float>(static_cast<double>(cut) * power_of_two(shift));
}
FUNCTION(double, __floatuntidf)(Unsigned x) { return to_double(x); }
FUNCTION(float, __floatuntisf)(Unsigned x) { return to_float(x); }
FUNCTION(double, __floattidf)(Signed x) { return x < 0 ? -to_double(magnitude(x)) : to_double(magnitude(x)); }
FUNCTION(float, __floattisf)(Signed x) { return x < 0 ? -to_float(magnitude(x)) : to_float(magnitude(x)); }

INLINE Unsigned from_double(double x) {
  if (!(x >= 1.0)) return 0;
  if (x >= 0x1p128) return ~Unsigned{0};
  const long long bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  const Unsigned mantissa = (bits & 0xfffffffffffffll) | 0x10000000000000ll;
  return exponent >= 0 ? mantissa << exponent : mantissa >> -exponent;
}
INLINE Signed from_double_signed(double x) {
  const Unsigned limit = Unsigned{1} << 127;
  const Unsigned m = from_double(__builtin_fabs(x));
  if (x < 0.0) return m >= limit ? static_cast<Signed>(limit) : -static_cast<Signed>(m);
  return m >= limit ? static_cast<Signed>(limit - 1) : static_cast<Signed>(m);
}
FUNCTION(Unsigned, __fixunsdfti)(double x) { return from_double(x); }
FUNCTION(Unsigned, __fixunssfti)(float x) { return from_double(x); }
FUNCTION(Signed, __fixdfti)(double x) { return from_double_signed(x); }
FUNCTION(Signed, __fixsfti)(float x) { return from_double_signed(x); }
