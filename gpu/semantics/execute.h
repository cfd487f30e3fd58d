// From an operation to its meaning, all rows.
#pragma once

#include "gpu/semantics/base.h"
#include "gpu/semantics/sync.h"
#include "gpu/semantics/warp.h"
#include "gpu/semantics/xarith.h"
#include "gpu/semantics/xmemory.h"

namespace castor::semantics {

/// Meanings by operation: what a pre-decoding engine keeps beside each instruction.
template <Emitter E>
inline constexpr std::array<Meaning<E>, isa::kOpCount + 1> kMeanings = {
#define INSN(id, mnemonic, bits, syntax, doc) &semantics::id<E>,
#include "gpu/isa/insns.inc"
    &no_instruction<E>};

/// The same as one switch, for engines that translate.
template <Emitter E>
void execute(E& e, const Insn& x) {
  switch (x.op) {
#define INSN(id, mnemonic, bits, syntax, doc) \
  case isa::Op::id: return semantics::id(e, x);
#include "gpu/isa/insns.inc"
    case isa::Op::illegal: return no_instruction(e, x);
  }
}

}  // namespace castor::semantics
