// Zba, Zbb, Zbs (unprivileged manual, chapter 28) and Zicond.
#pragma once

#include "gpu/semantics/integer.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E> auto shifted_a(E& e, const Insn& x, unsigned by) { return e.shl(e.reg(x.a), e.i64(by)); }
template <BaseEmitter E> auto shifted_uw(E& e, const Insn& x, unsigned by) {
  return e.shl(e.zext32(e.reg(x.a)), e.i64(by));
}

template <BaseEmitter E> void add_uw(E& e, const Insn& x) { e.set(x.d, e.add(shifted_uw(e, x, 0), e.reg(x.b))); }
template <BaseEmitter E> void sh1add(E& e, const Insn& x) { e.set(x.d, e.add(shifted_a(e, x, 1), e.reg(x.b))); }
template <BaseEmitter E> void sh2add(E& e, const Insn& x) { e.set(x.d, e.add(shifted_a(e, x, 2), e.reg(x.b))); }
template <BaseEmitter E> void sh3add(E& e, const Insn& x) { e.set(x.d, e.add(shifted_a(e, x, 3), e.reg(x.b))); }
template <BaseEmitter E> void sh1add_uw(E& e, const Insn& x) { e.set(x.d, e.add(shifted_uw(e, x, 1), e.reg(x.b))); }
template <BaseEmitter E> void sh2add_uw(E& e, const Insn& x) { e.set(x.d, e.add(shifted_uw(e, x, 2), e.reg(x.b))); }
template <BaseEmitter E> void sh3add_uw(E& e, const Insn& x) { e.set(x.d, e.add(shifted_uw(e, x, 3), e.reg(x.b))); }
template <BaseEmitter E> void slli_uw(E& e, const Insn& x) { e.set(x.d, e.shl(e.zext32(e.reg(x.a)), imm(e, x))); }

template <BaseEmitter E> void andn(E& e, const Insn& x) { e.set(x.d, e.and_(e.reg(x.a), e.not_(e.reg(x.b)))); }
template <BaseEmitter E> void orn(E& e, const Insn& x) { e.set(x.d, e.or_(e.reg(x.a), e.not_(e.reg(x.b)))); }
template <BaseEmitter E> void xnor(E& e, const Insn& x) { e.set(x.d, e.not_(e.xor_(e.reg(x.a), e.reg(x.b)))); }
template <BaseEmitter E> void clz(E& e, const Insn& x) { e.set(x.d, e.clz(e.reg(x.a))); }
template <BaseEmitter E> void ctz(E& e, const Insn& x) { e.set(x.d, e.ctz(e.reg(x.a))); }
template <BaseEmitter E> void cpop(E& e, const Insn& x) { e.set(x.d, e.popcount(e.reg(x.a))); }
template <BaseEmitter E> void clzw(E& e, const Insn& x) { set_word(e, x, e.clz(word_a(e, x))); }
template <BaseEmitter E> void ctzw(E& e, const Insn& x) { set_word(e, x, e.ctz(word_a(e, x))); }
template <BaseEmitter E> void cpopw(E& e, const Insn& x) { set_word(e, x, e.popcount(word_a(e, x))); }

template <BaseEmitter E> void max(E& e, const Insn& x) {
  auto a = e.reg(x.a), b = e.reg(x.b);
  e.set(x.d, e.select(e.lt(a, b), b, a));
}
template <BaseEmitter E> void maxu(E& e, const Insn& x) {
  auto a = e.reg(x.a), b = e.reg(x.b);
  e.set(x.d, e.select(e.ltu(a, b), b, a));
}
template <BaseEmitter E> void min(E& e, const Insn& x) {
  auto a = e.reg(x.a), b = e.reg(x.b);
  e.set(x.d, e.select(e.lt(a, b), a, b));
}
template <BaseEmitter E> void minu(E& e, const Insn& x) {
  auto a = e.reg(x.a), b = e.reg(x.b);
  e.set(x.d, e.select(e.ltu(a, b), a, b));
}

template <BaseEmitter E> void sext_b(E& e, const Insn& x) { e.set(x.d, e.sext8(e.reg(x.a))); }
template <BaseEmitter E> void sext_h(E& e, const Insn& x) { e.set(x.d, e.sext16(e.reg(x.a))); }
template <BaseEmitter E> void zext_h(E& e, const Insn& x) { e.set(x.d, e.zext16(e.reg(x.a))); }

// Shift amounts count modulo the width, so the complementary one needs no masking.
template <BaseEmitter E, class V> V rotate_left(E& e, V value, V by, V zero) {
  return e.or_(e.shl(value, by), e.shr(value, e.sub(zero, by)));
}
template <BaseEmitter E, class V> V rotate_right(E& e, V value, V by, V zero) {
  return e.or_(e.shr(value, by), e.shl(value, e.sub(zero, by)));
}
template <BaseEmitter E> void rol(E& e, const Insn& x) { e.set(x.d, rotate_left(e, e.reg(x.a), e.reg(x.b), e.i64(0))); }
template <BaseEmitter E> void ror(E& e, const Insn& x) { e.set(x.d, rotate_right(e, e.reg(x.a), e.reg(x.b), e.i64(0))); }
template <BaseEmitter E> void rori(E& e, const Insn& x) { e.set(x.d, rotate_right(e, e.reg(x.a), imm(e, x), e.i64(0))); }
template <BaseEmitter E> void rolw(E& e, const Insn& x) {
  set_word(e, x, rotate_left(e, word_a(e, x), word_b(e, x), e.i32(0)));
}
template <BaseEmitter E> void rorw(E& e, const Insn& x) {
  set_word(e, x, rotate_right(e, word_a(e, x), word_b(e, x), e.i32(0)));
}
template <BaseEmitter E> void roriw(E& e, const Insn& x) {
  set_word(e, x, rotate_right(e, word_a(e, x), imm32(e, x), e.i32(0)));
}

/// Bit 7 of each byte says whether the byte is not zero; times 255 after moving it down fills the byte.
template <BaseEmitter E> void orc_b(E& e, const Insn& x) {
  auto a = e.reg(x.a), low7 = e.i64(0x7f7f'7f7f'7f7f'7f7f);
  auto set = e.or_(e.add(e.and_(a, low7), low7), a);
  auto ones = e.and_(e.shr(set, e.i64(7)), e.i64(0x0101'0101'0101'0101));
  e.set(x.d, e.mul(ones, e.i64(0xff)));
}
template <BaseEmitter E> void rev8(E& e, const Insn& x) { e.set(x.d, e.bswap(e.reg(x.a))); }

template <BaseEmitter E> auto bit_b(E& e, const Insn& x) { return e.shl(e.i64(1), e.reg(x.b)); }
template <BaseEmitter E> auto bit_imm(E& e, const Insn& x) { return e.shl(e.i64(1), imm(e, x)); }
template <BaseEmitter E> void bclr(E& e, const Insn& x) { e.set(x.d, e.and_(e.reg(x.a), e.not_(bit_b(e, x)))); }
template <BaseEmitter E> void bclri(E& e, const Insn& x) { e.set(x.d, e.and_(e.reg(x.a), e.not_(bit_imm(e, x)))); }
template <BaseEmitter E> void bext(E& e, const Insn& x) { e.set(x.d, e.and_(e.shr(e.reg(x.a), e.reg(x.b)), e.i64(1))); }
template <BaseEmitter E> void bexti(E& e, const Insn& x) { e.set(x.d, e.and_(e.shr(e.reg(x.a), imm(e, x)), e.i64(1))); }
template <BaseEmitter E> void binv(E& e, const Insn& x) { e.set(x.d, e.xor_(e.reg(x.a), bit_b(e, x))); }
template <BaseEmitter E> void binvi(E& e, const Insn& x) { e.set(x.d, e.xor_(e.reg(x.a), bit_imm(e, x))); }
template <BaseEmitter E> void bset(E& e, const Insn& x) { e.set(x.d, e.or_(e.reg(x.a), bit_b(e, x))); }
template <BaseEmitter E> void bseti(E& e, const Insn& x) { e.set(x.d, e.or_(e.reg(x.a), bit_imm(e, x))); }

template <BaseEmitter E> void czero_eqz(E& e, const Insn& x) {
  e.set(x.d, e.select(e.eq(e.reg(x.b), e.i64(0)), e.i64(0), e.reg(x.a)));
}
template <BaseEmitter E> void czero_nez(E& e, const Insn& x) {
  e.set(x.d, e.select(e.ne(e.reg(x.b), e.i64(0)), e.i64(0), e.reg(x.a)));
}
// clang-format on

}  // namespace castor::semantics
