// All RV64 chapters, and the way from an operation to its meaning for engines that have no more than these.
#pragma once

#include <array>

#include "gpu/semantics/atomics.h"
#include "gpu/semantics/bitmanip.h"
#include "gpu/semantics/control.h"
#include "gpu/semantics/csr.h"
#include "gpu/semantics/float.h"
#include "gpu/semantics/integer.h"
#include "gpu/semantics/multiply.h"

namespace castor::semantics {

template <class E>
using Meaning = void (*)(E&, const Insn&);

template <class E>
void no_instruction(E& e, const Insn&) {
  e.fault(FaultCause::illegal_instruction, e.i64(0));
}

/// Meanings by operation. Those that are not of RV64, and `illegal`, raise illegal_instruction.
template <BaseEmitter E>
inline constexpr auto kBaseMeanings = [] {
  std::array<Meaning<E>, isa::kOpCount + 1> table{};
  table.fill(&no_instruction<E>);
#define INSN(id, mnemonic, bits, syntax, doc) table[static_cast<std::size_t>(isa::Op::id)] = &semantics::id<E>;
#include "gpu/isa/rv64.inc"
  return table;
}();

}  // namespace castor::semantics
