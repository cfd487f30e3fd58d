// Xcastor chapter: atomics beyond the A extension.
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

template <Emitter E>
void amofadd_s(E& e, const Insn& x) {
  e.fset(x.d, e.as_f32(e.amo(AmoOp::fadd_s, kU32, e.reg(x.a), e.bits(e.freg32(x.b)))));
}
template <Emitter E>
void amofadd_d(E& e, const Insn& x) {
  e.fset(x.d, e.as_f64(e.amo(AmoOp::fadd_d, kU64, e.reg(x.a), e.bits(e.freg64(x.b)))));
}

template <AmoOp op, Emitter E>
[[gnu::always_inline]] inline void word_atomic(E& e, const Insn& x) {
  e.set(x.d, e.amo(op, kS32, e.reg(x.a), e.reg(x.b)));
}
template <Emitter E>
void amofadd_h2(E& e, const Insn& x) {
  word_atomic<AmoOp::fadd_h2>(e, x);
}
template <Emitter E>
void amofadd_b2(E& e, const Insn& x) {
  word_atomic<AmoOp::fadd_b2>(e, x);
}
template <Emitter E>
void amoinc_w(E& e, const Insn& x) {
  word_atomic<AmoOp::inc>(e, x);
}
template <Emitter E>
void amodec_w(E& e, const Insn& x) {
  word_atomic<AmoOp::dec>(e, x);
}

template <Emitter E>
void amocas_h(E& e, const Insn& x) {
  e.set(x.d, e.cas(kS16, e.reg(x.a), e.reg(x.d), e.reg(x.b)));
}

}  // namespace castor::semantics
