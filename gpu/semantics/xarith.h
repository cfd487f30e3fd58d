// Xcastor chapter: integer arithmetic beyond the base, and the approximate functions' instructions.
#pragma once

#include "gpu/semantics/approx.h"
#include "gpu/semantics/emitter.h"

namespace castor::semantics {

template <Emitter E>
void brev_w(E& e, const Insn& x) {
  e.set(x.d, e.sext(e.bitreverse(e.low32(e.reg(x.a)))));
}
template <Emitter E>
void brev_d(E& e, const Insn& x) {
  e.set(x.d, e.bitreverse(e.reg(x.a)));
}

/// The word pair b:a as one 64-bit value.
template <Emitter E>
[[gnu::always_inline]] inline typename E::I64 word_pair(E& e, const Insn& x) {
  return e.or_(e.zext32(e.reg(x.a)), e.shl(e.reg(x.b), e.i64(32)));
}

template <Emitter E>
void fsl_w(E& e, const Insn& x) {
  const typename E::I64 shifted = e.shl(word_pair(e, x), e.and_(e.reg(x.c), e.i64(31)));
  e.set(x.d, e.sar(shifted, e.i64(32)));
}
template <Emitter E>
void fsr_w(E& e, const Insn& x) {
  e.set(x.d, e.sext32(e.shr(word_pair(e, x), e.and_(e.reg(x.c), e.i64(31)))));
}

/// PTX prmt, default mode: nibble i of the selector names byte i's source; its top bit asks for the byte's sign, repeated.
template <Emitter E>
void prmt(E& e, const Insn& x) {
  using I64 = typename E::I64;
  const I64 bytes = word_pair(e, x), selector = e.reg(x.c);
  I64 result = e.i64(0);
  for (unsigned i = 0; i < 4; ++i) {
    const I64 nibble = e.shr(selector, e.i64(4 * i));
    const I64 byte = e.sext8(e.shr(bytes, e.shl(e.and_(nibble, e.i64(7)), e.i64(3))));
    const typename E::Bool sign = e.ne(e.and_(nibble, e.i64(8)), e.i64(0));
    const I64 chosen = e.select(sign, e.sar(byte, e.i64(8)), byte);
    result = e.or_(result, e.shl(e.zext8(chosen), e.i64(8 * i)));
  }
  e.set(x.d, e.sext32(result));
}

template <bool a_signed, bool b_signed, Emitter E>
[[gnu::always_inline]] inline void dot4(E& e, const Insn& x) {
  using I64 = typename E::I64;
  const I64 a = e.reg(x.a), b = e.reg(x.b);
  typename E::I32 sum = e.low32(e.reg(x.c));
  for (unsigned i = 0; i < 4; ++i) {
    const I64 byte_a = e.shr(a, e.i64(8 * i)), byte_b = e.shr(b, e.i64(8 * i));
    const I64 left = a_signed ? e.sext8(byte_a) : e.zext8(byte_a);
    const I64 right = b_signed ? e.sext8(byte_b) : e.zext8(byte_b);
    sum = e.add(sum, e.mul(e.low32(left), e.low32(right)));
  }
  e.set(x.d, e.sext(sum));
}
template <Emitter E>
void dp4a_ss(E& e, const Insn& x) {
  dot4<true, true>(e, x);
}
template <Emitter E>
void dp4a_su(E& e, const Insn& x) {
  dot4<true, false>(e, x);
}
template <Emitter E>
void dp4a_us(E& e, const Insn& x) {
  dot4<false, true>(e, x);
}
template <Emitter E>
void dp4a_uu(E& e, const Insn& x) {
  dot4<false, false>(e, x);
}

template <Emitter E>
void rcp_s(E& e, const Insn& x) {
  e.fset(x.d, approx::rcp(e, e.freg32(x.a)));
}
template <Emitter E>
void rsqrt_s(E& e, const Insn& x) {
  e.fset(x.d, approx::rsqrt(e, e.freg32(x.a)));
}
template <Emitter E>
void sqrt_s(E& e, const Insn& x) {
  e.fset(x.d, approx::sqrt(e, e.freg32(x.a)));
}
template <Emitter E>
void sin_s(E& e, const Insn& x) {
  e.fset(x.d, approx::sin(e, e.freg32(x.a)));
}
template <Emitter E>
void cos_s(E& e, const Insn& x) {
  e.fset(x.d, approx::cos(e, e.freg32(x.a)));
}
template <Emitter E>
void ex2_s(E& e, const Insn& x) {
  e.fset(x.d, approx::ex2(e, e.freg32(x.a)));
}
template <Emitter E>
void lg2_s(E& e, const Insn& x) {
  e.fset(x.d, approx::lg2(e, e.freg32(x.a)));
}
template <Emitter E>
void tanh_s(E& e, const Insn& x) {
  e.fset(x.d, approx::tanh(e, e.freg32(x.a)));
}
template <Emitter E>
void sat_s(E& e, const Insn& x) {
  e.fset(x.d, approx::sat(e, e.freg32(x.a)));
}

}  // namespace castor::semantics
