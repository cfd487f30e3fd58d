// Word to instruction. Every word gives an answer; what no row covers is Op::illegal.
#pragma once

#include <cstdint>

#include "gpu/isa/insn.h"

namespace castor::isa {

/// Table-driven. A reserved static rounding mode (5, 6) is illegal.
Decoded decode(std::uint32_t word);

/// Instruction to word: the inverse. Fields out of range are cut off; `op` must not be illegal.
std::uint32_t encode(const Decoded& insn);

}  // namespace castor::isa
