// The integer half of the interpreter's emitter: stateless operations on 32 lanes.
#pragma once

#include "gpu/sm/simd_types.h"

namespace castor::sm::CASTOR_LEVEL {

struct IntegerOps {
  using I64 = U64;
  using I32 = U32;
  using Bool = CASTOR_LEVEL::Bool;

  CASTOR_INLINE I64 i64(std::uint64_t k) { return splat<U64>(k); }
  CASTOR_INLINE I32 i32(std::uint32_t k) { return splat<U32>(k); }
  CASTOR_INLINE Bool boolean(bool k) { return from_bits(k ? ~0u : 0u); }

  CASTOR_INLINE I64 add(I64 a, I64 b) { return a + b; }
  CASTOR_INLINE I32 add(I32 a, I32 b) { return a + b; }
  CASTOR_INLINE I64 sub(I64 a, I64 b) { return a - b; }
  CASTOR_INLINE I32 sub(I32 a, I32 b) { return a - b; }
  CASTOR_INLINE I64 mul(I64 a, I64 b) { return a * b; }
  CASTOR_INLINE I32 mul(I32 a, I32 b) { return a * b; }
  CASTOR_INLINE I64 and_(I64 a, I64 b) { return a & b; }
  CASTOR_INLINE I32 and_(I32 a, I32 b) { return a & b; }
  CASTOR_INLINE I64 or_(I64 a, I64 b) { return a | b; }
  CASTOR_INLINE I32 or_(I32 a, I32 b) { return a | b; }
  CASTOR_INLINE I64 xor_(I64 a, I64 b) { return a ^ b; }
  CASTOR_INLINE I32 xor_(I32 a, I32 b) { return a ^ b; }
  CASTOR_INLINE I64 not_(I64 a) { return ~a; }
  CASTOR_INLINE I32 not_(I32 a) { return ~a; }
  CASTOR_INLINE I64 shl(I64 a, I64 n) { return a << (n & 63); }
  CASTOR_INLINE I32 shl(I32 a, I32 n) { return a << (n & 31); }
  CASTOR_INLINE I64 shr(I64 a, I64 n) { return a >> (n & 63); }
  CASTOR_INLINE I32 shr(I32 a, I32 n) { return a >> (n & 31); }
  CASTOR_INLINE I64 sar(I64 a, I64 n) { return cast<U64>(cast<S64>(a) >> cast<S64>(n & 63)); }
  CASTOR_INLINE I32 sar(I32 a, I32 n) { return cast<U32>(cast<S32>(a) >> cast<S32>(n & 31)); }

  // Divisors that would trap on the host are replaced; their lanes get RISC-V's results.
  CASTOR_INLINE I64 divu(I64 a, I64 b) {
    return choose(eq(b, i64(0)), i64(~0ull), a / choose(eq(b, i64(0)), i64(1), b));
  }
  CASTOR_INLINE I32 divu(I32 a, I32 b) { return choose(eq(b, i32(0)), i32(~0u), a / choose(eq(b, i32(0)), i32(1), b)); }
  CASTOR_INLINE I64 remu(I64 a, I64 b) { return choose(eq(b, i64(0)), a, a % choose(eq(b, i64(0)), i64(1), b)); }
  CASTOR_INLINE I32 remu(I32 a, I32 b) { return choose(eq(b, i32(0)), a, a % choose(eq(b, i32(0)), i32(1), b)); }
  CASTOR_INLINE I64 div(I64 a, I64 b) {
    const Bool zero = eq(b, i64(0)), minus = eq(b, i64(~0ull));
    const I64 safe = choose(logical_or(zero, minus), i64(1), b);
    const I64 quotient = cast<U64>(cast<S64>(a) / cast<S64>(safe));
    return choose(zero, i64(~0ull), choose(minus, i64(0) - a, quotient));
  }
  CASTOR_INLINE I32 div(I32 a, I32 b) {
    const Bool zero = eq(b, i32(0)), minus = eq(b, i32(~0u));
    const I32 safe = choose(logical_or(zero, minus), i32(1), b);
    const I32 quotient = cast<U32>(cast<S32>(a) / cast<S32>(safe));
    return choose(zero, i32(~0u), choose(minus, i32(0) - a, quotient));
  }
  CASTOR_INLINE I64 rem(I64 a, I64 b) {
    const Bool zero = eq(b, i64(0)), minus = eq(b, i64(~0ull));
    const I64 safe = choose(logical_or(zero, minus), i64(1), b);
    return choose(zero, a, cast<U64>(cast<S64>(a) % cast<S64>(safe)));
  }
  CASTOR_INLINE I32 rem(I32 a, I32 b) {
    const Bool zero = eq(b, i32(0)), minus = eq(b, i32(~0u));
    const I32 safe = choose(logical_or(zero, minus), i32(1), b);
    return choose(zero, a, cast<U32>(cast<S32>(a) % cast<S32>(safe)));
  }

  CASTOR_INLINE I64 mulhu(I64 a, I64 b) {
    const I64 a0 = a & 0xffff'ffffu, a1 = a >> 32, b0 = b & 0xffff'ffffu, b1 = b >> 32;
    const I64 middle = a1 * b0 + ((a0 * b0) >> 32);
    const I64 cross = a0 * b1 + (middle & 0xffff'ffffu);
    return a1 * b1 + (middle >> 32) + (cross >> 32);
  }
  CASTOR_INLINE I64 mulhsu(I64 a, I64 b) { return mulhu(a, b) - (sar(a, i64(63)) & b); }
  CASTOR_INLINE I64 mulh(I64 a, I64 b) { return mulhsu(a, b) - (sar(b, i64(63)) & a); }

  // The shape that LLVM turns into a population count where the host has one.
  CASTOR_INLINE I64 popcount(I64 a) {
    a -= (a >> 1) & 0x5555'5555'5555'5555ull;
    a = (a & 0x3333'3333'3333'3333ull) + ((a >> 2) & 0x3333'3333'3333'3333ull);
    a = (a + (a >> 4)) & 0x0f0f'0f0f'0f0f'0f0full;
    return (a * 0x0101'0101'0101'0101ull) >> 56;
  }
  CASTOR_INLINE I32 popcount(I32 a) {
    a -= (a >> 1) & 0x5555'5555u;
    a = (a & 0x3333'3333u) + ((a >> 2) & 0x3333'3333u);
    a = (a + (a >> 4)) & 0x0f0f'0f0fu;
    return (a * 0x0101'0101u) >> 24;
  }
  CASTOR_INLINE I64 ctz(I64 a) { return popcount(~a & (a - 1)); }
  CASTOR_INLINE I32 ctz(I32 a) { return popcount(~a & (a - 1)); }
  CASTOR_INLINE I64 clz(I64 a) {
    for (unsigned n = 1; n < 64; n *= 2) a |= a >> n;
    return popcount(~a);
  }
  CASTOR_INLINE I32 clz(I32 a) {
    for (unsigned n = 1; n < 32; n *= 2) a |= a >> n;
    return popcount(~a);
  }
  CASTOR_INLINE I64 bitreverse(I64 a) { return __builtin_elementwise_bitreverse(a); }
  CASTOR_INLINE I32 bitreverse(I32 a) { return __builtin_elementwise_bitreverse(a); }
  CASTOR_INLINE I64 bswap(I64 a) {
    a = (a & 0x00ff'00ff'00ff'00ffull) << 8 | ((a >> 8) & 0x00ff'00ff'00ff'00ffull);
    a = (a & 0x0000'ffff'0000'ffffull) << 16 | ((a >> 16) & 0x0000'ffff'0000'ffffull);
    return a << 32 | a >> 32;
  }
  CASTOR_INLINE I32 bswap(I32 a) {
    a = (a & 0x00ff'00ffu) << 8 | ((a >> 8) & 0x00ff'00ffu);
    return a << 16 | a >> 16;
  }

  CASTOR_INLINE Bool eq(I64 a, I64 b) { return truth(a == b); }
  CASTOR_INLINE Bool eq(I32 a, I32 b) { return truth(a == b); }
  CASTOR_INLINE Bool ne(I64 a, I64 b) { return truth(a != b); }
  CASTOR_INLINE Bool ne(I32 a, I32 b) { return truth(a != b); }
  CASTOR_INLINE Bool lt(I64 a, I64 b) { return truth(cast<S64>(a) < cast<S64>(b)); }
  CASTOR_INLINE Bool lt(I32 a, I32 b) { return truth(cast<S32>(a) < cast<S32>(b)); }
  CASTOR_INLINE Bool ltu(I64 a, I64 b) { return truth(a < b); }
  CASTOR_INLINE Bool ltu(I32 a, I32 b) { return truth(a < b); }
  CASTOR_INLINE I64 select(Bool p, I64 a, I64 b) { return choose(p, a, b); }
  CASTOR_INLINE I32 select(Bool p, I32 a, I32 b) { return choose(p, a, b); }

  CASTOR_INLINE I32 low32(I64 a) { return convert<U32>(a); }
  CASTOR_INLINE I64 sext(I32 a) { return cast<U64>(convert<S64>(cast<S32>(a))); }
  CASTOR_INLINE I64 zext(I32 a) { return convert<U64>(a); }
  CASTOR_INLINE I64 sext8(I64 a) { return sar(a << 56, i64(56)); }
  CASTOR_INLINE I64 sext16(I64 a) { return sar(a << 48, i64(48)); }
  CASTOR_INLINE I64 sext32(I64 a) { return sext(low32(a)); }
  CASTOR_INLINE I64 zext8(I64 a) { return a & 0xff; }
  CASTOR_INLINE I64 zext16(I64 a) { return a & 0xffff; }
  CASTOR_INLINE I64 zext32(I64 a) { return a & 0xffff'ffffull; }

  CASTOR_INLINE Bool logical_and(Bool a, Bool b) { return from_bits(to_bits(a) & to_bits(b)); }
  CASTOR_INLINE Bool logical_or(Bool a, Bool b) { return from_bits(to_bits(a) | to_bits(b)); }
  CASTOR_INLINE Bool logical_not(Bool a) { return from_bits(~to_bits(a)); }
  CASTOR_INLINE I64 to_i64(Bool p) { return choose(p, i64(1), i64(0)); }
};

}  // namespace castor::sm::CASTOR_LEVEL
