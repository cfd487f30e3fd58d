#include <string>

#include "gpu/isa/assembler.h"
#include "gpu/isa/decoder.h"
#include "tests/gpu/isa/random_insn.h"
#include "tests/support/catch.h"

using namespace castor::isa;
using castor::isa::testing::op_at;
using castor::isa::testing::RandomInsn;

TEST_CASE("every row survives word, fields, text and back") {
  RandomInsn random(1);
  for (std::size_t i = 0; i < kOpCount; ++i) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const Decoded insn = random(op_at(i));
      const std::uint32_t word = encode(insn);
      INFO(def(insn.op).id << " " << std::hex << word << " " << disassemble(insn));
      REQUIRE(decode(word) == insn);
      const auto again = assemble(disassemble(insn));
      REQUIRE(again.ok());
      REQUIRE(again.value() == word);
      const std::uint64_t pc = random.bits() & 0xffff'ffff'fffc;
      const auto placed = assemble(disassemble(word, pc), pc);
      REQUIRE(placed.ok());
      REQUIRE(placed.value() == word);
    }
  }
}

TEST_CASE("text reads as the manual writes it") {
  // Encodings from the unprivileged manual's listings, by hand.
  CHECK(disassemble(0x00c58533) == "add a0, a1, a2");
  CHECK(disassemble(0xff010113) == "addi sp, sp, -16");
  CHECK(disassemble(0x0080006f, 0x1000) == "jal zero, 0x1008");
  CHECK(disassemble(0xfe0618e3, 0x1000) == "bne a2, zero, 0xff0");
  CHECK(disassemble(0x00813083) == "ld ra, 8(sp)");
  CHECK(disassemble(0x0ff0000f) == "fence iorw, iorw");
  CHECK(disassemble(0x00c5f553) == "fadd.s fa0, fa1, fa2");
  CHECK(disassemble(0x00c59553) == "fadd.s fa0, fa1, fa2, rtz");
  CHECK(disassemble(0x06c5a52f) == "amoadd.w.aqrl a0, a2, (a1)");
  CHECK(disassemble(0x30200073) == "mret");
  CHECK(disassemble(0x34202573) == "csrrs a0, mcause, zero");
  CHECK(disassemble(0xcd702573) == "csrrs a0, clock, zero");
  CHECK(disassemble(0x00000000) == ".word 0x00000000");
}

TEST_CASE("wrong text is refused with a reason") {
  for (const char* text : {"", "frob a0", "add a0, a1", "add a0, a1, a2, a3", "add a0, a1, fa2", "addi a0, a1, 2048",
                           "addi a0, a1, x", "slliw a0, a1, 32", "lw a0, 4", "lw a0, 4(a1", "add.aq a0, a1, a2",
                           "beq a0, a1, 3", "lui a0, 0x100000", "fadd.s fa0, fa1, fa2, up", "fli.s fa0, 7.0",
                           "csrrwi a0, fcsr, 32", "lr.w a0, a1", "fcvtmod.w.d a0, fa0", "add x32, a0, a0"}) {
    INFO(text);
    const auto word = assemble(text);
    REQUIRE_FALSE(word.ok());
    CHECK(word.status().message().find(text) != std::string::npos);
  }
}

TEST_CASE("operations are found by mnemonic and by id") {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    CHECK(find_op(kInsns[i].mnemonic) == op_at(i));
    CHECK(find_op_id(kInsns[i].id) == op_at(i));
  }
  CHECK_FALSE(find_op("castor.mma").has_value());
  CHECK_FALSE(find_op_id("illegal").has_value());
}
