// M: multiplication and division (unprivileged manual, chapter 12).
#pragma once

#include "gpu/semantics/integer.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E> void mul(E& e, const Insn& x) { e.set(x.d, e.mul(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void mulh(E& e, const Insn& x) { e.set(x.d, e.mulh(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void mulhsu(E& e, const Insn& x) { e.set(x.d, e.mulhsu(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void mulhu(E& e, const Insn& x) { e.set(x.d, e.mulhu(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void div(E& e, const Insn& x) { e.set(x.d, e.div(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void divu(E& e, const Insn& x) { e.set(x.d, e.divu(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void rem(E& e, const Insn& x) { e.set(x.d, e.rem(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void remu(E& e, const Insn& x) { e.set(x.d, e.remu(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void mulw(E& e, const Insn& x) { set_word(e, x, e.mul(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void divw(E& e, const Insn& x) { set_word(e, x, e.div(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void divuw(E& e, const Insn& x) { set_word(e, x, e.divu(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void remw(E& e, const Insn& x) { set_word(e, x, e.rem(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void remuw(E& e, const Insn& x) { set_word(e, x, e.remu(word_a(e, x), word_b(e, x))); }
// clang-format on

}  // namespace castor::semantics
