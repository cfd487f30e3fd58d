// A and Zacas: atomic memory operations (unprivileged manual, chapter 13). The order bits need no mention: all our atomics are sequentially consistent.
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E, class Type> void amo(E& e, const Insn& x, AmoOp op, Type type) {
  e.set(x.d, e.amo(op, type, e.reg(x.a), e.reg(x.b)));
}

template <BaseEmitter E> void lr_w(E& e, const Insn& x) { e.set(x.d, e.lr(kS32, e.reg(x.a))); }
template <BaseEmitter E> void lr_d(E& e, const Insn& x) { e.set(x.d, e.lr(kU64, e.reg(x.a))); }
template <BaseEmitter E> void sc_w(E& e, const Insn& x) { e.set(x.d, e.sc(kS32, e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void sc_d(E& e, const Insn& x) { e.set(x.d, e.sc(kU64, e.reg(x.a), e.reg(x.b))); }

template <BaseEmitter E> void amoswap_w(E& e, const Insn& x) { amo(e, x, AmoOp::swap, kS32); }
template <BaseEmitter E> void amoadd_w(E& e, const Insn& x) { amo(e, x, AmoOp::add, kS32); }
template <BaseEmitter E> void amoxor_w(E& e, const Insn& x) { amo(e, x, AmoOp::xor_, kS32); }
template <BaseEmitter E> void amoand_w(E& e, const Insn& x) { amo(e, x, AmoOp::and_, kS32); }
template <BaseEmitter E> void amoor_w(E& e, const Insn& x) { amo(e, x, AmoOp::or_, kS32); }
template <BaseEmitter E> void amomin_w(E& e, const Insn& x) { amo(e, x, AmoOp::min, kS32); }
template <BaseEmitter E> void amomax_w(E& e, const Insn& x) { amo(e, x, AmoOp::max, kS32); }
template <BaseEmitter E> void amominu_w(E& e, const Insn& x) { amo(e, x, AmoOp::minu, kS32); }
template <BaseEmitter E> void amomaxu_w(E& e, const Insn& x) { amo(e, x, AmoOp::maxu, kS32); }
template <BaseEmitter E> void amoswap_d(E& e, const Insn& x) { amo(e, x, AmoOp::swap, kU64); }
template <BaseEmitter E> void amoadd_d(E& e, const Insn& x) { amo(e, x, AmoOp::add, kU64); }
template <BaseEmitter E> void amoxor_d(E& e, const Insn& x) { amo(e, x, AmoOp::xor_, kU64); }
template <BaseEmitter E> void amoand_d(E& e, const Insn& x) { amo(e, x, AmoOp::and_, kU64); }
template <BaseEmitter E> void amoor_d(E& e, const Insn& x) { amo(e, x, AmoOp::or_, kU64); }
template <BaseEmitter E> void amomin_d(E& e, const Insn& x) { amo(e, x, AmoOp::min, kU64); }
template <BaseEmitter E> void amomax_d(E& e, const Insn& x) { amo(e, x, AmoOp::max, kU64); }
template <BaseEmitter E> void amominu_d(E& e, const Insn& x) { amo(e, x, AmoOp::minu, kU64); }
template <BaseEmitter E> void amomaxu_d(E& e, const Insn& x) { amo(e, x, AmoOp::maxu, kU64); }

template <BaseEmitter E> void amocas_w(E& e, const Insn& x) {
  e.set(x.d, e.cas(kS32, e.reg(x.a), e.reg(x.d), e.reg(x.b)));
}
template <BaseEmitter E> void amocas_d(E& e, const Insn& x) {
  e.set(x.d, e.cas(kU64, e.reg(x.a), e.reg(x.d), e.reg(x.b)));
}
// clang-format on

}  // namespace castor::semantics
