#include "gpu/isa/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gpu/isa/constants.h"
#include "gpu/isa/csr.h"
#include "gpu/isa/decoder.h"
#include "gpu/isa/syntax.h"

namespace castor::isa {
namespace {

Status bad(std::string_view text, std::string_view why) {
  return {StatusCode::invalid_value, fmt::format("assembling \"{}\": {}", text, why)};
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

/// ABI name, or x0..x31 and f0..f31.
std::optional<std::uint8_t> parse_register(std::string_view text, RegFile file) {
  for (std::uint8_t i = 0; i < 32; ++i) {
    if (register_name(file, i) == text) return i;
  }
  if (file == RegFile::x && text == "fp") return 8;
  if (!text.starts_with(file == RegFile::f ? 'f' : 'x')) return std::nullopt;
  const auto number = parse_number(text.substr(1));
  if (!number || *number < 0 || *number > 31) return std::nullopt;
  return static_cast<std::uint8_t>(*number);
}

std::optional<std::int64_t> parse_fence_set(std::string_view text) {
  std::int64_t bits = 0;
  if (text == "0") return 0;
  for (char c : text) {
    const auto at = std::string_view("wroi").find(c);
    if (at == std::string_view::npos) return std::nullopt;
    bits |= 1 << at;
  }
  return bits;
}

std::optional<std::uint8_t> parse_rounding(std::string_view text) {
  for (std::uint8_t mode : {0, 1, 2, 3, 4, 7}) {
    if (rounding_name(mode) == text) return mode;
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_csr(std::string_view text) {
  if (const auto number = csr_number(text)) return *number;
  const auto number = parse_number(text);
  return number && *number >= 0 && *number < 4096 ? number : std::nullopt;
}

bool fits(const InsnDef& row, std::int64_t imm) {
  switch (row.imm) {
    case ImmKind::i:
    case ImmKind::s: return imm >= -2048 && imm <= 2047;
    case ImmKind::b: return imm >= -4096 && imm <= 4094 && imm % 2 == 0;
    case ImmKind::j: return imm >= -(1 << 20) && imm < 1 << 20 && imm % 2 == 0;
    case ImmKind::shamt: return imm >= 0 && imm < ((row.mask & 1u << 25) != 0 ? 32 : 64);
    default: return true;
  }
}

template <class To, class From>
bool assign(To& to, const std::optional<From>& from) {
  if (from) to = static_cast<To>(*from);
  return from.has_value();
}

/// Stores what one operand says; false if it does not parse.
bool parse_operand(Decoded& insn, const InsnDef& row, char letter, std::string_view text,
                   std::optional<std::uint64_t> pc) {
  switch (letter) {
    case 'd': return assign(insn.d, parse_register(text, row.d));
    case 'a': return assign(insn.a, parse_register(text, row.a));
    case 'b': return assign(insn.b, parse_register(text, row.b));
    case 'c': return assign(insn.c, parse_register(text, row.c));
    case 'm':
    case 'M': return assign(insn.rm, parse_rounding(text));
    case 'r': return assign(insn.imm, parse_csr(text));
    case 'k': {
      const auto found = std::ranges::find(kFliNames, text);
      insn.a = static_cast<std::uint8_t>(found - kFliNames.begin());
      return found != kFliNames.end();
    }
    case 'z': {
      const auto number = parse_number(text);
      return assign(insn.a, number) && *number >= 0 && *number < 32;
    }
    case 'U': {
      const auto number = parse_number(text);
      if (!number || *number < 0 || *number > 0xfffff) return false;
      insn.imm = static_cast<std::int32_t>(static_cast<std::uint32_t>(*number) << 12);
      return true;
    }
    case 'p':
    case 'n': {
      const auto bits = parse_fence_set(text);
      if (bits) insn.imm |= letter == 'p' ? *bits << 4 : *bits;
      return bits.has_value();
    }
    default: {
      const bool relative = (letter == 'B' || letter == 'J') && pc;
      if (!assign(insn.imm, parse_number(text))) return false;
      if (relative) insn.imm -= static_cast<std::int64_t>(*pc);
      return fits(row, insn.imm);
    }
  }
}

/// Splits "amoadd.w.aqrl" into operation and order bits.
std::optional<Op> parse_mnemonic(std::string_view text, Decoded& insn) {
  if (const auto op = find_op(text)) return op;
  constexpr std::pair<std::string_view, std::uint8_t> kSuffixes[] = {{".aqrl", 3}, {".aq", 2}, {".rl", 1}};
  for (auto [suffix, order] : kSuffixes) {
    if (!text.ends_with(suffix)) continue;
    const auto op = find_op(text.substr(0, text.size() - suffix.size()));
    if (!op || !def(*op).ordered) return std::nullopt;
    insn.order = order;
    return op;
  }
  return std::nullopt;
}

/// The text up to the next punctuation mark of the syntax; the operands contain none.
std::string_view take_operand(std::string_view& text) {
  const auto end = std::min(text.find_first_of(",()"), text.size());
  const std::string_view operand = trimmed(text.substr(0, end));
  text.remove_prefix(end);
  return operand;
}

}  // namespace

Result<std::uint32_t> assemble(std::string_view text, std::optional<std::uint64_t> pc) {
  const std::string_view line = trimmed(text);
  const auto space = std::min(line.find_first_of(" \t"), line.size());
  Decoded insn;
  const auto op = parse_mnemonic(line.substr(0, space), insn);
  if (!op) return bad(text, "no such instruction");
  const InsnDef& row = def(*op);
  insn.op = *op;
  insn.rm = row.rounding_letter == 'm' ? 7 : 0;
  std::string_view operands = trimmed(line.substr(space));
  std::string_view syntax = row.syntax;
  for (std::string_view token = next_token(syntax); !token.empty(); token = next_token(syntax)) {
    const char letter = operand_letter(token);
    if (is_word_char(token.front())) {
      const std::string_view operand = take_operand(operands);
      const bool good = letter == '\0' ? operand == token : parse_operand(insn, row, letter, operand, pc);
      if (!good) return bad(text, fmt::format("\"{}\" is wrong; operands are: {}", operand, row.syntax));
      continue;
    }
    operands = trimmed(operands);
    if (operands.empty() && token == "," && row.rounding) break;
    if (operands.empty() || operands.front() != token.front()) {
      return bad(text, fmt::format("'{}' expected; operands are: {}", token, row.syntax));
    }
    operands.remove_prefix(1);
  }
  if (!trimmed(operands).empty()) return bad(text, "too many operands");
  return encode(insn);
}

}  // namespace castor::isa
