// The instruction rows as data: the enumeration of operations and one definition for each.
//
// Letters of a bit picture, most significant bit first; spaces only group.
//   0 1  fixed bits                  -  ignored by the decoder, written as zero
//   d a b c  registers rd, rs1, rs2, rs3
//   i  signed 12-bit immediate       s  the same, of stores (two pieces)
//   B  branch offset                 J  jump offset            U  upper 20 bits
//   h  shift amount (5 or 6 bits)    r  CSR number             z  5-bit immediate in rs1's place
//   m  rounding mode, written unless dynamic                   M  rounding mode, written unless rne
//   p n  fence predecessor, successor                          q l  acquire and release bits, suffix .aq .rl .aqrl
//   k  constant number of fli
// Where two rows match a word, the one with more fixed bits counts.
// Operands as written: the letters above; "fd", "fa", "fb", "fc" is a floating-point register; punctuation and longer
// words stand for themselves. A rounding mode comes last and may be left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace castor::isa {

enum class Op : std::uint16_t {
#define INSN(id, mnemonic, bits, syntax, doc) id,
#include "gpu/isa/insns.inc"
  illegal  // not an instruction; also the number of operations
};
inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::illegal);

enum class RegFile : std::uint8_t { none, x, f };

/// How the immediate lies in the word. `none` when there is no immediate.
enum class ImmKind : std::uint8_t { none, i, s, b, u, j, shamt, csr, fence };

struct InsnDef {
  std::string_view id;
  std::string_view mnemonic;
  std::string_view bits;    // the picture, as in the row
  std::string_view syntax;  // the operands, as in the row
  std::string_view doc;
  std::uint32_t mask = 0;   // which bits are fixed
  std::uint32_t match = 0;  // and to what
  RegFile d = RegFile::none, a = RegFile::none, b = RegFile::none, c = RegFile::none;
  ImmKind imm = ImmKind::none;
  bool rounding = false;     // has a rounding-mode field
  char rounding_letter = 0;  // 'm' or 'M': which value is left out when written
  bool ordered = false;      // has acquire and release bits
  bool small_imm = false;    // rs1's place holds a number (z or k)
  std::uint8_t chapter = 0;  // index into chapters()
};

struct Chapter {
  std::string_view title;
  std::string_view march;  // the extension's name as -march writes it; empty for Xcastor
};

/// A designed operation that is not there yet; decodes as illegal.
struct GapDef {
  std::string_view id, mnemonic, reason;
  std::uint8_t chapter = 0;
};

// Defined, and checked row by row, in insn.cpp.
extern const std::array<InsnDef, kOpCount> kInsns;
std::span<const Chapter> chapters();
std::span<const GapDef> gaps();

inline const InsnDef& def(Op op) { return kInsns[static_cast<std::size_t>(op)]; }
inline std::string_view mnemonic(Op op) { return op == Op::illegal ? "illegal" : def(op).mnemonic; }

/// One instruction, taken apart. Fields that the instruction lacks are zero.
struct Decoded {
  Op op = Op::illegal;
  std::uint8_t d = 0, a = 0, b = 0, c = 0;  // register numbers; `a` also holds the 5-bit immediate of csrrwi and fli
  std::uint8_t rm = 0;                      // rounding mode field, 7 = dynamic
  std::uint8_t order = 0;                   // bit 1 acquire, bit 0 release
  std::int64_t imm =
      0;  // sign-extended immediate, pc-relative offset, shift amount, CSR number, fence pred << 4 | succ

  bool operator==(const Decoded&) const = default;
};

}  // namespace castor::isa
