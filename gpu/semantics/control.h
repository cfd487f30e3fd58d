// Calls of the environment and machine mode (privileged manual, chapter 3.3).
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E> void ecall(E& e, const Insn&) { e.system(SystemOp::ecall); }
template <BaseEmitter E> void ebreak(E& e, const Insn&) { e.system(SystemOp::ebreak); }
template <BaseEmitter E> void mret(E& e, const Insn&) { e.system(SystemOp::mret); }
template <BaseEmitter E> void wfi(E& e, const Insn&) { e.system(SystemOp::wfi); }
// clang-format on

}  // namespace castor::semantics
