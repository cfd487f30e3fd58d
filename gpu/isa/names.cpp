// Names of registers, modes and operations.
#include <algorithm>
#include <array>
#include <vector>

#include "gpu/isa/assembler.h"

namespace castor::isa {
namespace {

constexpr std::array<std::string_view, 32> kIntegerRegisters = {
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::array<std::string_view, 32> kFloatRegisters = {
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
constexpr std::array<std::string_view, 8> kRoundingModes = {"rne", "rtz", "rdn", "rup", "rmm", "5", "6", "dyn"};

std::vector<Op> sorted_by_mnemonic() {
  std::vector<Op> ops(kOpCount);
  for (std::size_t i = 0; i < kOpCount; ++i) ops[i] = static_cast<Op>(i);
  std::ranges::sort(ops, {}, mnemonic);
  return ops;
}

}  // namespace

std::string_view register_name(RegFile file, unsigned number) {
  return (file == RegFile::f ? kFloatRegisters : kIntegerRegisters)[number & 31];
}

std::string_view rounding_name(unsigned mode) { return kRoundingModes[mode & 7]; }

std::optional<Op> find_op(std::string_view text) {
  static const std::vector<Op> ops = sorted_by_mnemonic();
  const auto found = std::ranges::lower_bound(ops, text, {}, mnemonic);
  if (found == ops.end() || mnemonic(*found) != text) return std::nullopt;
  return *found;
}

std::optional<Op> find_op_id(std::string_view id) {
  const auto found = std::ranges::find(kInsns, id, &InsnDef::id);
  if (found == kInsns.end()) return std::nullopt;
  return static_cast<Op>(found - kInsns.begin());
}

}  // namespace castor::isa
