// Xcastor chapter: ends, traps, pauses and barriers.
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

template <Emitter E>
void exit_(E& e, const Insn&) {
  e.system(SystemOp::exit);
}
template <Emitter E>
void yield_(E& e, const Insn&) {
  e.system(SystemOp::yield);
}
template <Emitter E>
void trap(E& e, const Insn& x) {
  e.fault(FaultCause::trap, e.reg(x.a));
}
template <Emitter E>
void nanosleep(E& e, const Insn& x) {
  e.nanosleep(e.reg(x.a));
}

template <Emitter E>
void warp_sync(E& e, const Insn& x) {
  e.converge(e.zext32(e.reg(x.a)));
}

template <Emitter E>
void bar_sync(E& e, const Insn& x) {
  e.barrier(BarrierOp::sync, e.reg(x.a), e.boolean(false), 0);
}
template <Emitter E>
void bar_arrive(E& e, const Insn& x) {
  e.barrier(BarrierOp::arrive, e.reg(x.a), e.boolean(false), 0);
}
template <BarrierOp op, Emitter E>
[[gnu::always_inline]] inline void barrier_reduction(E& e, const Insn& x) {
  e.barrier(op, e.reg(x.a), e.ne(e.reg(x.b), e.i64(0)), x.d);
}
template <Emitter E>
void bar_popc(E& e, const Insn& x) {
  barrier_reduction<BarrierOp::popc>(e, x);
}
template <Emitter E>
void bar_and(E& e, const Insn& x) {
  barrier_reduction<BarrierOp::and_>(e, x);
}
template <Emitter E>
void bar_or(E& e, const Insn& x) {
  barrier_reduction<BarrierOp::or_>(e, x);
}

}  // namespace castor::semantics
