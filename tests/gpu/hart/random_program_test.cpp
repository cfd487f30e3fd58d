// Random sequences of instructions over all registers, in lock step with qemu: aliased operands, x0, values that flow from
// one instruction to the next, boxed and unboxed floats. The registers and flags at the end are folded into one word.
#include <set>
#include <string>

#include <fmt/format.h>

#include "gpu/isa/assembler.h"
#include "tests/gpu/hart/guest_program.h"
#include "tests/gpu/isa/random_insn.h"
#include "tests/support/catch.h"

using namespace castor::hart::testing;
using castor::isa::Decoded;
using castor::isa::ImmKind;
using castor::isa::InsnDef;
using castor::isa::Op;
using castor::isa::RegFile;
using castor::isa::testing::op_at;
using castor::isa::testing::RandomInsn;

namespace {

/// x registers that a program may change; the others belong to the loop around it (see GuestProgram).
constexpr unsigned kFree[] = {0,  1,  3,  4,  6,  7,  10, 11, 12, 13, 14, 15, 16,
                              17, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// Register-to-register instructions of the chapters that qemu 7.2 has and has right (ctzw: see qemu_test).
bool takes_part(const InsnDef& row) {
  static const std::set<std::string_view> chapters = {"rv64i_zifencei", "m", "zba", "zbb", "zbs", "f", "d", "zfh"};
  if (!chapters.contains(castor::isa::chapters()[row.chapter].march) || row.mnemonic == "ctzw") return false;
  if (row.imm == ImmKind::i) return row.syntax.find('(') == std::string_view::npos;
  return row.d != RegFile::none && row.imm != ImmKind::j;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < castor::isa::kOpCount; ++i) {
      if (takes_part(castor::isa::def(op_at(i)))) ops_.push_back(op_at(i));
    }
  }

  std::vector<std::string> program(int length) {
    std::vector<std::string> lines;
    for (unsigned n : kFree) {
      if (n == 0 || (n >= 11 && n <= 13)) continue;
      lines.push_back(fmt::format("addi x{}, a{}, {}", n, 1 + n % 3, n));
    }
    constexpr const char* kFormats[] = {"d", "s", "h"};
    for (unsigned n = 0; n < 32; ++n) {
      lines.push_back(fmt::format("fcvt.{}.l f{}, x{}", kFormats[n % 3], n, free(n)));
    }
    for (int i = 0; i < length; ++i) lines.push_back(instruction());
    for (unsigned n : kFree) fold(lines, fmt::format("x{}", n));
    for (unsigned n = 0; n < 32; ++n) {
      lines.push_back(fmt::format("fmv.x.d t1, f{}", n));
      fold(lines, "t1");
    }
    return lines;
  }

  std::size_t operations() const { return ops_.size(); }

 private:
  static unsigned free(unsigned n) { return kFree[n % std::size(kFree)]; }
  static void fold(std::vector<std::string>& lines, const std::string& reg) {
    lines.push_back("rori a0, a0, 9");
    lines.push_back(fmt::format("xor a0, a0, {}", reg));
  }

  std::string instruction() {
    const Op op = ops_[random_.bits() % ops_.size()];
    const InsnDef& row = castor::isa::def(op);
    Decoded insn = random_(op);
    if (row.d == RegFile::x) insn.d = static_cast<std::uint8_t>(free(insn.d));
    if (row.a == RegFile::x) insn.a = static_cast<std::uint8_t>(free(insn.a));
    if (row.b == RegFile::x) insn.b = static_cast<std::uint8_t>(free(insn.b));
    return castor::isa::disassemble(insn);
  }

  RandomInsn random_;
  std::vector<Op> ops_;
};

}  // namespace

TEST_CASE("random programs end with the registers and flags that qemu has") {
  Generator generator(6);
  CHECK(generator.operations() > 170);
  GuestProgram program;
  Operands operands = integer_operands();
  operands.resize(60);
  const auto table = program.add_table(operands);
  for (int i = 0; i < 500; ++i) program.add_case(table, "a0", generator.program(60));
  const auto ours = program.run_on_hart();
  const auto theirs = program.run_on_qemu("rv64,Zfh=true");
  REQUIRE(ours.size() == program.outcomes());
  REQUIRE(theirs.size() == program.outcomes());
  const auto difference = program.compare(ours, theirs);
  INFO(difference.text);
  CHECK(difference.count == 0);
}
