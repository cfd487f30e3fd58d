// Zicsr: control and status registers (unprivileged manual, chapter 6).
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E> auto csr_number(const Insn& x) { return static_cast<unsigned>(x.imm); }

// Whether the CSR is read or written at all depends on the instruction alone: csrrw to x0 does not read, csrrs and csrrc
// with x0 or 0 do not write.
template <BaseEmitter E> void csr_swap(E& e, const Insn& x, typename E::I64 value) {
  auto old = x.d == 0 ? e.i64(0) : e.csr_read(csr_number<E>(x));
  e.csr_write(csr_number<E>(x), value);
  e.set(x.d, old);
}
template <BaseEmitter E> void csr_set(E& e, const Insn& x, typename E::I64 bits) {
  auto old = e.csr_read(csr_number<E>(x));
  if (x.a != 0) e.csr_write(csr_number<E>(x), e.or_(old, bits));
  e.set(x.d, old);
}
template <BaseEmitter E> void csr_clear(E& e, const Insn& x, typename E::I64 bits) {
  auto old = e.csr_read(csr_number<E>(x));
  if (x.a != 0) e.csr_write(csr_number<E>(x), e.and_(old, e.not_(bits)));
  e.set(x.d, old);
}

template <BaseEmitter E> void csrrw(E& e, const Insn& x) { csr_swap(e, x, e.reg(x.a)); }
template <BaseEmitter E> void csrrs(E& e, const Insn& x) { csr_set(e, x, e.reg(x.a)); }
template <BaseEmitter E> void csrrc(E& e, const Insn& x) { csr_clear(e, x, e.reg(x.a)); }
template <BaseEmitter E> void csrrwi(E& e, const Insn& x) { csr_swap(e, x, e.i64(x.a)); }
template <BaseEmitter E> void csrrsi(E& e, const Insn& x) { csr_set(e, x, e.i64(x.a)); }
template <BaseEmitter E> void csrrci(E& e, const Insn& x) { csr_clear(e, x, e.i64(x.a)); }
// clang-format on

}  // namespace castor::semantics
