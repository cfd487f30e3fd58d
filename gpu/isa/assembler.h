// Instructions as text, both ways, and as directives for LLVM's assembler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/isa/insn.h"
#include "platform/core/result.h"

namespace castor::isa {

/// "add a0, a1, a2". With `pc`, branch targets are absolute addresses in hexadecimal, otherwise signed offsets.
std::string disassemble(const Decoded& insn, std::optional<std::uint64_t> pc = std::nullopt);
/// The same for a word; one that is no instruction reads ".word 0x…".
std::string disassemble(std::uint32_t word, std::optional<std::uint64_t> pc = std::nullopt);

/// One instruction of text to its word. No labels, no pseudo-instructions. `pc` as above.
Result<std::uint32_t> assemble(std::string_view text, std::optional<std::uint64_t> pc = std::nullopt);

/// Operation of a mnemonic, e.g. "castor.shfl.idx"; without .aq/.rl suffix.
std::optional<Op> find_op(std::string_view mnemonic);
/// Operation of a row's id, e.g. "shfl_idx".
std::optional<Op> find_op_id(std::string_view id);

/// LLVM inline-assembly template of a register-only instruction (all Xcastor rows): ".insn r 11, 4, 3, $0, $1, $2".
/// Operands are numbered in the order in which the row's syntax names them, the destination (if any) being $0.
/// Where the destination is also a source (amocas), the caller ties the last input to $0 (see insn_constraints).
/// Empty for instructions with immediates.
std::string insn_directive(Op op);
/// The constraint string that belongs to it: "=r,r,r", "=f,f", "=&r,r,r,0"; "r" without a destination.
std::string insn_constraints(Op op);

/// "a0", "fa0", "rtz".
std::string_view register_name(RegFile file, unsigned number);
std::string_view rounding_name(unsigned mode);

}  // namespace castor::isa
