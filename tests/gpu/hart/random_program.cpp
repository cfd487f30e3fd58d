#include "tests/gpu/hart/random_program.h"

#include <fmt/format.h>

#include <set>

#include "gpu/isa/assembler.h"

namespace castor::hart::testing {
namespace {

using isa::ImmKind;
using isa::InsnDef;
using isa::RegFile;

/// x registers that a program may change; the others belong to the loop around it (see GuestProgram).
constexpr unsigned kFree[] = {0,  1,  3,  4,  6,  7,  10, 11, 12, 13, 14, 15, 16,
                              17, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// Register-to-register instructions of the chapters that qemu 7.2 has and has right (ctzw: see qemu_test).
bool takes_part(const InsnDef& row) {
  static const std::set<std::string_view> chapters = {"rv64i_zifencei", "m", "zba", "zbb", "zbs", "f", "d", "zfh"};
  if (!chapters.contains(isa::chapters()[row.chapter].march) || row.mnemonic == "ctzw") return false;
  if (row.mnemonic == "auipc") return false;
  if (row.imm == ImmKind::i) return row.syntax.find('(') == std::string_view::npos;
  return row.d != RegFile::none && row.imm != ImmKind::j;
}

unsigned free_register(unsigned n) { return kFree[n % std::size(kFree)]; }

void fold(std::vector<std::string>& lines, const std::string& reg) {
  lines.push_back("rori a0, a0, 9");
  lines.push_back(fmt::format("xor a0, a0, {}", reg));
}

}  // namespace

RandomProgram::RandomProgram(std::uint64_t seed) : random_(seed) {
  for (std::size_t i = 0; i < isa::kOpCount; ++i) {
    if (takes_part(isa::kInsns[i])) ops_.push_back(isa::testing::op_at(i));
  }
}

std::vector<std::string> RandomProgram::operator()(int length) {
  std::vector<std::string> lines;
  for (unsigned n : kFree) {
    if (n == 0 || (n >= 11 && n <= 13)) continue;
    lines.push_back(fmt::format("addi x{}, a{}, {}", n, 1 + n % 3, n));
  }
  constexpr const char* kFormats[] = {"d", "s", "h"};
  for (unsigned n = 0; n < 32; ++n) {
    lines.push_back(fmt::format("fcvt.{}.l f{}, x{}, rne", kFormats[n % 3], n, free_register(n)));
  }
  for (int i = 0; i < length; ++i) lines.push_back(instruction());
  for (unsigned n : kFree) fold(lines, fmt::format("x{}", n));
  for (unsigned n = 0; n < 32; ++n) {
    lines.push_back(fmt::format("fmv.x.d t1, f{}", n));
    fold(lines, "t1");
  }
  return lines;
}

std::string RandomProgram::instruction() {
  const isa::Op op = ops_[random_.bits() % ops_.size()];
  const InsnDef& row = isa::def(op);
  isa::Decoded insn = random_(op);
  if (row.d == RegFile::x) insn.d = static_cast<std::uint8_t>(free_register(insn.d));
  if (row.a == RegFile::x) insn.a = static_cast<std::uint8_t>(free_register(insn.a));
  if (row.b == RegFile::x) insn.b = static_cast<std::uint8_t>(free_register(insn.b));
  return isa::disassemble(insn);
}

}  // namespace castor::hart::testing
