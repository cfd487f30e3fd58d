// Encodings against an independent authority: LLVM's assembler reads what our disassembler writes, word for word.
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/isa/assembler.h"
#include "gpu/isa/decoder.h"
#include "tests/gpu/isa/random_insn.h"
#include "tests/support/catch.h"

using namespace castor::isa;
using castor::isa::testing::op_at;
using castor::isa::testing::RandomInsn;

namespace {

/// The words of .text of an ELF64 object.
std::vector<std::uint32_t> text_words(const std::filesystem::path& object) {
  std::ifstream in(object, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(bytes.size() > sizeof(Elf64_Ehdr));
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_size == 0) continue;
    std::vector<std::uint32_t> words(section.sh_size / 4);
    std::memcpy(words.data(), bytes.data() + section.sh_offset, section.sh_size);
    return words;
  }
  return {};
}

/// Assembles one instruction a line.
std::vector<std::uint32_t> llvm_words(const std::string& name, const std::vector<std::string>& lines) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("castor_isa_" + name + "_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream source(folder / "all.s");
  source << ".option norvc\n.option norelax\n";
  for (const std::string& line : lines) source << line << '\n';
  source.close();
  const std::string command = std::string(CASTOR_CLANG) +
                              " --target=riscv64 -mno-relax -menable-experimental-extensions -march=" + CASTOR_MARCH +
                              " -c " + (folder / "all.s").string() + " -o " + (folder / "all.o").string();
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  auto words = text_words(folder / "all.o");
  std::filesystem::remove_all(folder);
  return words;
}

void compare(const std::string& name, const std::vector<std::string>& lines, const std::vector<std::uint32_t>& ours) {
  const auto theirs = llvm_words(name, lines);
  REQUIRE(theirs.size() == ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    INFO(lines[i] << ": ours " << std::hex << ours[i] << ", LLVM's " << theirs[i]);
    CHECK(ours[i] == theirs[i]);
  }
}

/// ".insn r 11, 4, 3, $0, $1, $2" with the operands of an instruction filled in.
std::string fill_in(std::string directive, const Decoded& insn) {
  const InsnDef& row = def(insn.op);
  std::string operands = disassemble(insn).substr(row.mnemonic.size());
  std::erase_if(operands, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  for (int number = 0; !operands.empty(); ++number) {
    const auto comma = std::min(operands.find(','), operands.size());
    const auto place = directive.find("$" + std::to_string(number));
    REQUIRE(place != std::string::npos);
    directive.replace(place, 2, operands.substr(0, comma));
    operands.erase(0, comma + 1);
  }
  return directive;
}

}  // namespace

TEST_CASE("LLVM assembles our text of every base row to our word") {
  RandomInsn random(4);
  std::vector<std::string> lines;
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (kInsns[i].mnemonic.starts_with("castor.")) continue;
    for (int repeat = 0; repeat < 12; ++repeat) {
      Decoded insn = random(op_at(i));
      if (def(insn.op).imm == ImmKind::csr && insn.imm >= 0xcc0 && insn.imm <= 0xcff)
        continue;  // LLVM has no name for ours
      lines.push_back(disassemble(insn));
      words.push_back(encode(insn));
    }
  }
  compare("base", lines, words);
}

TEST_CASE("the .insn directives give the words of the Xcastor rows") {
  RandomInsn random(5);
  std::vector<std::string> lines;
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (!kInsns[i].mnemonic.starts_with("castor.")) continue;
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Decoded insn = random(op_at(i));
      const std::string directive = insn_directive(insn.op);
      INFO(kInsns[i].id);
      REQUIRE_FALSE(directive.empty());
      lines.push_back(fill_in(directive, insn));
      words.push_back(encode(insn));
    }
  }
  compare("xcastor", lines, words);
}

TEST_CASE("constraints belong to the directives") {
  CHECK(insn_directive(Op::exit_) == ".insn r 11, 0, 0, x0, x0, x0");
  CHECK(insn_constraints(Op::exit_).empty());
  CHECK(insn_constraints(Op::shfl_idx) == "=r,r,r,r");
  CHECK(insn_constraints(Op::sin_s) == "=f,f");
  CHECK(insn_constraints(Op::amofadd_d) == "=f,f,r");
  CHECK(insn_constraints(Op::amocas_h) == "=&r,r,r,0");
  CHECK(insn_constraints(Op::bar_sync) == "r");
  CHECK(insn_directive(Op::addi).empty());
}
