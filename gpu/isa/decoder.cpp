#include "gpu/isa/decoder.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <vector>

namespace castor::isa {
namespace {

constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
constexpr std::uint32_t field(std::uint32_t word, unsigned low, unsigned bits) {
  return word >> low & ((1u << bits) - 1);
}

/// Rows that a word can be are found by opcode bits 6..2, funct3 and the top seven bits: few are left to compare.
class Index {
 public:
  /// Counts the rows of each key, turns the counts into starts, then fills in, narrower rows first.
  Index() : starts_(kKeys + 1) {
    std::vector<std::uint16_t> ops(kOpCount);
    std::iota(ops.begin(), ops.end(), std::uint16_t{0});
    std::ranges::sort(ops, std::ranges::greater(), [](auto op) { return std::popcount(kInsns[op].mask); });
    for (const InsnDef& row : kInsns) each_key(row, [&](std::uint32_t key) { ++starts_[key + 1]; });
    for (std::uint32_t key = 0; key < kKeys; ++key) starts_[key + 1] += starts_[key];
    rows_.resize(starts_[kKeys]);
    std::vector<std::uint32_t> next = starts_;
    for (std::uint16_t op : ops) {
      const Row row{kInsns[op].mask, kInsns[op].match, op};
      each_key(kInsns[op], [&](std::uint32_t key) { rows_[next[key]++] = row; });
    }
  }

  Op find(std::uint32_t word) const {
    const std::uint32_t key = key_of(word);
    for (std::uint32_t i = starts_[key]; i < starts_[key + 1]; ++i) {
      if ((word & rows_[i].mask) == rows_[i].match) return static_cast<Op>(rows_[i].op);
    }
    return Op::illegal;
  }

 private:
  static constexpr std::uint32_t kKeys = 1u << 15;
  struct Row {
    std::uint32_t mask, match;
    std::uint16_t op;
  };

  static constexpr std::uint32_t key_of(std::uint32_t word) {
    return field(word, 2, 5) << 10 | field(word, 12, 3) << 7 | field(word, 25, 7);
  }

  /// Counts through all settings of the key's bits that the row leaves free.
  template <class Visit>
  static void each_key(const InsnDef& row, Visit visit) {
    const std::uint32_t match = key_of(row.match), free = ~key_of(row.mask) & (kKeys - 1);
    for (std::uint32_t bits = free;; bits = (bits - 1) & free) {
      visit(match | bits);
      if (bits == 0) break;
    }
  }

  std::vector<std::uint32_t> starts_;
  std::vector<Row> rows_;
};

std::int64_t immediate(ImmKind kind, std::uint32_t word) {
  const auto s = static_cast<std::int32_t>(word);
  switch (kind) {
    case ImmKind::none: return 0;
    case ImmKind::i: return s >> 20;
    case ImmKind::s: return (s >> 25) * 32 + static_cast<std::int32_t>(field(word, 7, 5));
    case ImmKind::b:
      return sign_extend(
          field(word, 31, 1) << 12 | field(word, 7, 1) << 11 | field(word, 25, 6) << 5 | field(word, 8, 4) << 1, 13);
    case ImmKind::u: return static_cast<std::int32_t>(word & 0xfffff000);
    case ImmKind::j:
      return sign_extend(
          field(word, 31, 1) << 20 | field(word, 12, 8) << 12 | field(word, 20, 1) << 11 | field(word, 21, 10) << 1,
          21);
    case ImmKind::shamt: return field(word, 20, 6);
    case ImmKind::csr: return field(word, 20, 12);
    case ImmKind::fence: return field(word, 20, 8);
  }
  return 0;
}

std::uint32_t immediate_bits(ImmKind kind, std::int64_t value) {
  const auto v = static_cast<std::uint32_t>(value);
  switch (kind) {
    case ImmKind::none: return 0;
    case ImmKind::i: return v << 20;
    case ImmKind::s: return field(v, 5, 7) << 25 | field(v, 0, 5) << 7;
    case ImmKind::b: return field(v, 12, 1) << 31 | field(v, 5, 6) << 25 | field(v, 1, 4) << 8 | field(v, 11, 1) << 7;
    case ImmKind::u: return v & 0xfffff000;
    case ImmKind::j:
      return field(v, 20, 1) << 31 | field(v, 1, 10) << 21 | field(v, 11, 1) << 20 | field(v, 12, 8) << 12;
    case ImmKind::shamt: return field(v, 0, 6) << 20;
    case ImmKind::csr: return field(v, 0, 12) << 20;
    case ImmKind::fence: return field(v, 0, 8) << 20;
  }
  return 0;
}

}  // namespace

Decoded decode(std::uint32_t word) {
  static const Index index;
  const Op op = index.find(word);
  if ((word & 3) != 3 || op == Op::illegal) return {};
  const InsnDef& row = def(op);
  Decoded insn{.op = op};
  if (row.d != RegFile::none) insn.d = static_cast<std::uint8_t>(field(word, 7, 5));
  if (row.a != RegFile::none || row.small_imm) insn.a = static_cast<std::uint8_t>(field(word, 15, 5));
  if (row.b != RegFile::none) insn.b = static_cast<std::uint8_t>(field(word, 20, 5));
  if (row.c != RegFile::none) insn.c = static_cast<std::uint8_t>(field(word, 27, 5));
  if (row.rounding) insn.rm = static_cast<std::uint8_t>(field(word, 12, 3));
  if (row.ordered) insn.order = static_cast<std::uint8_t>(field(word, 25, 2));
  insn.imm = immediate(row.imm, word);
  // The shift amount of a word operation has five bits; the sixth is a fixed zero of the picture.
  if (insn.rm == 5 || insn.rm == 6) return {};
  return insn;
}

std::uint32_t encode(const Decoded& insn) {
  const InsnDef& row = def(insn.op);
  std::uint32_t word = immediate_bits(row.imm, insn.imm);
  if (row.d != RegFile::none) word |= (insn.d & 31u) << 7;
  if (row.a != RegFile::none || row.small_imm) word |= (insn.a & 31u) << 15;
  if (row.b != RegFile::none) word |= (insn.b & 31u) << 20;
  if (row.c != RegFile::none) word |= (insn.c & 31u) << 27;
  if (row.rounding) word |= (insn.rm & 7u) << 12;
  if (row.ordered) word |= (insn.order & 3u) << 25;
  return (word & ~row.mask) | row.match;
}

}  // namespace castor::isa
