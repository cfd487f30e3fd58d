#include <fmt/format.h>

#include "gpu/isa/assembler.h"
#include "gpu/isa/constants.h"
#include "gpu/isa/csr.h"
#include "gpu/isa/decoder.h"
#include "gpu/isa/syntax.h"

namespace castor::isa {
namespace {

std::string fence_set(unsigned bits) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    if ((bits & 8u >> i) != 0) text += "iorw"[i];
  }
  return text.empty() ? "0" : text;
}

std::string target(const Decoded& insn, std::optional<std::uint64_t> pc) {
  return pc ? fmt::format("{:#x}", *pc + static_cast<std::uint64_t>(insn.imm)) : fmt::format("{}", insn.imm);
}

std::string csr_text(std::int64_t number) {
  const std::string_view name = csr_name(static_cast<unsigned>(number));
  return name.empty() ? fmt::format("{:#x}", number) : std::string(name);
}

std::string operand(const Decoded& insn, const InsnDef& row, char letter, std::optional<std::uint64_t> pc) {
  switch (letter) {
    case 'd': return std::string(register_name(row.d, insn.d));
    case 'a': return std::string(register_name(row.a, insn.a));
    case 'b': return std::string(register_name(row.b, insn.b));
    case 'c': return std::string(register_name(row.c, insn.c));
    case 'B':
    case 'J': return target(insn, pc);
    case 'U': return fmt::format("{:#x}", static_cast<std::uint64_t>(insn.imm) >> 12 & 0xfffff);
    case 'r': return csr_text(insn.imm);
    case 'z': return fmt::format("{}", insn.a);
    case 'k': return std::string(kFliNames[insn.a & 31]);
    case 'p': return fence_set(static_cast<unsigned>(insn.imm >> 4));
    case 'n': return fence_set(static_cast<unsigned>(insn.imm));
    case 'm':
    case 'M': return std::string(rounding_name(insn.rm));
    default: return fmt::format("{}", insn.imm);
  }
}

bool leaves_out_rounding(const Decoded& insn, const InsnDef& row) {
  return insn.rm == (row.rounding_letter == 'M' ? 0 : 7);
}

}  // namespace

std::string disassemble(const Decoded& insn, std::optional<std::uint64_t> pc) {
  if (insn.op == Op::illegal) return "illegal";
  const InsnDef& row = def(insn.op);
  constexpr std::string_view kOrders[] = {"", ".rl", ".aq", ".aqrl"};
  std::string text = fmt::format("{}{}", row.mnemonic, kOrders[insn.order & 3]);
  std::string separator = " ";
  std::string_view rest = row.syntax;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const char letter = operand_letter(token);
    if (token == ",") {
      separator = ", ";
      continue;
    }
    if ((letter == 'm' || letter == 'M') && leaves_out_rounding(insn, row)) break;
    text += separator;
    text += letter == '\0' ? std::string(token) : operand(insn, row, letter, pc);
    separator.clear();
  }
  return text;
}

std::string disassemble(std::uint32_t word, std::optional<std::uint64_t> pc) {
  const Decoded insn = decode(word);
  return insn.op == Op::illegal ? fmt::format(".word {:#010x}", word) : disassemble(insn, pc);
}

}  // namespace castor::isa
