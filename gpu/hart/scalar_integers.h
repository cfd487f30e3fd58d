// Integer operations of an emitter with one lane: values are host integers.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace castor::hart {

struct ScalarIntegers {
  using I64 = std::uint64_t;
  using I32 = std::uint32_t;
  using Bool = bool;

  template <class T>
  static constexpr unsigned kBits = sizeof(T) * 8;
  template <class T>
  using Signed = std::make_signed_t<T>;
  template <class T>
  static Signed<T> as_signed(T x) {
    return static_cast<Signed<T>>(x);
  }

  static I64 i64(std::uint64_t x) { return x; }
  static I32 i32(std::uint32_t x) { return x; }
  static Bool boolean(bool x) { return x; }

  template <std::unsigned_integral T>
  static T add(T x, T y) {
    return x + y;
  }
  template <std::unsigned_integral T>
  static T sub(T x, T y) {
    return x - y;
  }
  template <std::unsigned_integral T>
  static T mul(T x, T y) {
    return x * y;
  }
  template <std::unsigned_integral T>
  static T and_(T x, T y) {
    return x & y;
  }
  template <std::unsigned_integral T>
  static T or_(T x, T y) {
    return x | y;
  }
  template <std::unsigned_integral T>
  static T xor_(T x, T y) {
    return x ^ y;
  }
  template <std::unsigned_integral T>
  static T not_(T x) {
    return ~x;
  }
  template <std::unsigned_integral T>
  static T shl(T x, T by) {
    return x << (by & (kBits<T> - 1));
  }
  template <std::unsigned_integral T>
  static T shr(T x, T by) {
    return x >> (by & (kBits<T> - 1));
  }
  template <std::unsigned_integral T>
  static T sar(T x, T by) {
    return static_cast<T>(as_signed(x) >> (by & (kBits<T> - 1)));
  }

  // By zero: quotient all ones, remainder the dividend. Overflow: quotient the dividend, remainder zero.
  template <std::unsigned_integral T>
  static T divu(T x, T y) {
    return y == 0 ? ~T{0} : x / y;
  }
  template <std::unsigned_integral T>
  static T remu(T x, T y) {
    return y == 0 ? x : x % y;
  }
  template <std::unsigned_integral T>
  static T div(T x, T y) {
    if (y == 0) return ~T{0};
    return y == ~T{0} ? T{0} - x : static_cast<T>(as_signed(x) / as_signed(y));
  }
  template <std::unsigned_integral T>
  static T rem(T x, T y) {
    if (y == 0) return x;
    return y == ~T{0} ? T{0} : static_cast<T>(as_signed(x) % as_signed(y));
  }

  template <std::unsigned_integral T>
  static T clz(T x) {
    return static_cast<T>(std::countl_zero(x));
  }
  template <std::unsigned_integral T>
  static T ctz(T x) {
    return static_cast<T>(std::countr_zero(x));
  }
  template <std::unsigned_integral T>
  static T popcount(T x) {
    return static_cast<T>(std::popcount(x));
  }
  static I64 bswap(I64 x) { return __builtin_bswap64(x); }
  static I32 bswap(I32 x) { return __builtin_bswap32(x); }
  template <std::unsigned_integral T>
  static T bitreverse(T x) {
    T reversed = 0;
    for (unsigned i = 0; i < kBits<T>; ++i) reversed |= (x >> i & 1) << (kBits<T> - 1 - i);
    return reversed;
  }

  template <std::unsigned_integral T>
  static Bool eq(T x, T y) {
    return x == y;
  }
  template <std::unsigned_integral T>
  static Bool ne(T x, T y) {
    return x != y;
  }
  template <std::unsigned_integral T>
  static Bool lt(T x, T y) {
    return as_signed(x) < as_signed(y);
  }
  template <std::unsigned_integral T>
  static Bool ltu(T x, T y) {
    return x < y;
  }
  template <class T>
  static T select(Bool p, T x, T y) {
    return p ? x : y;
  }

  __extension__ using Wide = unsigned __int128;
  __extension__ using SignedWide = __int128;
  static I64 mulhu(I64 x, I64 y) { return static_cast<I64>(Wide{x} * y >> 64); }
  static I64 mulh(I64 x, I64 y) { return static_cast<I64>(SignedWide{as_signed(x)} * as_signed(y) >> 64); }
  static I64 mulhsu(I64 x, I64 y) {
    return static_cast<I64>(SignedWide{as_signed(x)} * static_cast<SignedWide>(y) >> 64);
  }

  static I32 low32(I64 x) { return static_cast<I32>(x); }
  static I64 sext(I32 x) { return static_cast<I64>(std::int64_t{as_signed(x)}); }
  static I64 zext(I32 x) { return x; }
  static I64 sext8(I64 x) { return static_cast<I64>(std::int64_t{static_cast<std::int8_t>(x)}); }
  static I64 sext16(I64 x) { return static_cast<I64>(std::int64_t{static_cast<std::int16_t>(x)}); }
  static I64 sext32(I64 x) { return sext(low32(x)); }
  static I64 zext8(I64 x) { return x & 0xff; }
  static I64 zext16(I64 x) { return x & 0xffff; }
  static I64 zext32(I64 x) { return low32(x); }

  static Bool logical_and(Bool x, Bool y) { return x && y; }
  static Bool logical_or(Bool x, Bool y) { return x || y; }
  static Bool logical_not(Bool x) { return !x; }
  static I64 to_i64(Bool x) { return x ? 1 : 0; }
};

}  // namespace castor::hart
