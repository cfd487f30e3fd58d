// Register-only instructions as `.insn` directives of LLVM's assembler (R and R4 formats).
#include <fmt/format.h>

#include "gpu/isa/assembler.h"
#include "gpu/isa/syntax.h"

namespace castor::isa {
namespace {

/// Where the operands stand in the syntax, by letter; "x0" where the row has none.
struct Operands {
  std::string d = "x0", a = "x0", b = "x0", c = "x0";
  bool registers_only = true;
};

Operands number_operands(const InsnDef& row) {
  Operands operands;
  int next = 0;
  std::string_view rest = row.syntax;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const char letter = operand_letter(token);
    if (letter == '\0') continue;
    std::string* slot = letter == 'd'   ? &operands.d
                        : letter == 'a' ? &operands.a
                        : letter == 'b' ? &operands.b
                        : letter == 'c' ? &operands.c
                                        : nullptr;
    if (slot == nullptr) {
      operands.registers_only = false;
    } else {
      *slot = fmt::format("${}", next++);
    }
  }
  return operands;
}

/// A fixed five-bit field is a register number too (castor.exit has zeros there).
void fix(std::string& operand, const InsnDef& row, unsigned low) {
  if ((row.mask >> low & 31) == 31) operand = fmt::format("x{}", row.match >> low & 31);
}

}  // namespace

std::string insn_directive(Op op) {
  const InsnDef& row = def(op);
  Operands operands = number_operands(row);
  if (!operands.registers_only || row.rounding) return {};
  fix(operands.d, row, 7);
  fix(operands.a, row, 15);
  fix(operands.b, row, 20);
  const unsigned opcode = row.match & 0x7f, funct3 = row.match >> 12 & 7;
  if (row.c != RegFile::none) {
    return fmt::format(".insn r4 {}, {}, {}, {}, {}, {}, {}", opcode, funct3, row.match >> 25 & 3, operands.d,
                       operands.a, operands.b, operands.c);
  }
  return fmt::format(".insn r {}, {}, {}, {}, {}, {}", opcode, funct3, row.match >> 25, operands.d, operands.a,
                     operands.b);
}

std::string insn_constraints(Op op) {
  const InsnDef& row = def(op);
  const bool reads_d = row.mnemonic.find("amocas") != std::string_view::npos;
  std::string text;
  std::string_view rest = row.syntax;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const char letter = operand_letter(token);
    if (letter < 'a' || letter > 'd') continue;
    if (!text.empty()) text += ',';
    if (letter == 'd') text += reads_d ? "=&" : "=";
    text += is_float_register(token) ? 'f' : 'r';
  }
  return reads_d ? text + ",0" : text;
}

}  // namespace castor::isa
