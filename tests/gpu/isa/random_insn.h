// Random instructions of a given row: every field that the row has gets any value it can hold.
#pragma once

#include <random>

#include "gpu/isa/insn.h"

namespace castor::isa::testing {

class RandomInsn {
 public:
  explicit RandomInsn(std::uint64_t seed) : engine_(seed) {}

  Decoded operator()(Op op) {
    const InsnDef& row = def(op);
    Decoded insn{.op = op};
    if (row.d != RegFile::none) insn.d = below(32);
    if (row.a != RegFile::none || row.small_imm) insn.a = below(32);
    if (row.b != RegFile::none) insn.b = below(32);
    if (row.c != RegFile::none) insn.c = below(32);
    constexpr std::uint8_t kModes[] = {0, 1, 2, 3, 4, 7};
    if (row.rounding) insn.rm = kModes[below(6)];
    if (row.ordered) insn.order = below(4);
    insn.imm = immediate(row);
    return insn;
  }

  std::uint64_t bits() { return engine_(); }

 private:
  std::uint8_t below(unsigned bound) { return static_cast<std::uint8_t>(engine_() % bound); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Ranges of the manual's instruction formats.
  std::int64_t immediate(const InsnDef& row) {
    switch (row.imm) {
      case ImmKind::none: return 0;
      case ImmKind::i:
      case ImmKind::s: return between(-2048, 2047);
      case ImmKind::b: return between(-2048, 2047) * 2;
      case ImmKind::u: return static_cast<std::int32_t>(static_cast<std::uint32_t>(between(0, 0xfffff)) << 12);
      case ImmKind::j: return between(-(1 << 19), (1 << 19) - 1) * 2;
      case ImmKind::shamt: return below((row.mask >> 25 & 1) != 0 ? 32 : 64);
      case ImmKind::csr: return between(0, 4095);
      case ImmKind::fence: return below(255);
    }
    return 0;
  }

  std::mt19937_64 engine_;
};

inline Op op_at(std::size_t i) { return static_cast<Op>(i); }

}  // namespace castor::isa::testing
