#include <array>

#include "gpu/isa/assembler.h"
#include "gpu/isa/decoder.h"
#include "tests/gpu/isa/random_insn.h"
#include "tests/support/catch.h"

using namespace castor::isa;
using castor::isa::testing::op_at;
using castor::isa::testing::RandomInsn;

namespace {

/// The row whose picture the word matches bit by bit, read from the picture's text.
Op scan(std::uint32_t word) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    int bit = 31;
    bool match = true;
    for (char c : kInsns[i].bits) {
      if (c == ' ') continue;
      const char actual = (word >> bit-- & 1) != 0 ? '1' : '0';
      match = match && (c == actual || (c != '0' && c != '1'));
    }
    if (!match) continue;
    const unsigned rm = word >> 12 & 7;
    return kInsns[i].rounding && (rm == 5 || rm == 6) ? Op::illegal : op_at(i);
  }
  return Op::illegal;
}

void check(std::uint32_t word) {
  INFO(std::hex << word);
  const Decoded insn = decode(word);
  REQUIRE(insn.op == scan(word));
  if (insn.op == Op::illegal) {
    REQUIRE(insn == Decoded{});
    REQUIRE(disassemble(word).starts_with(".word 0x"));
    return;
  }
  // Ignored bits aside, the word comes back.
  const std::uint32_t again = encode(insn);
  REQUIRE(decode(again) == insn);
  if (def(insn.op).bits.find('-') == std::string_view::npos) REQUIRE(again == word);
  REQUIRE_FALSE(disassemble(word).empty());
}

}  // namespace

TEST_CASE("any word decodes as a scan of the rows says") {
  RandomInsn random(2);
  for (int i = 0; i < 300'000; ++i) check(static_cast<std::uint32_t>(random.bits()));
}

TEST_CASE("words near instructions decode as a scan of the rows says") {
  RandomInsn random(3);
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const std::uint32_t word = encode(random(op_at(i)));
    check(word);
    for (unsigned first = 0; first < 32; ++first) {
      check(word ^ 1u << first);
      for (unsigned second = 0; second < first; ++second) check(word ^ 1u << first ^ 1u << second);
    }
  }
}

TEST_CASE("words known to be no instruction are illegal") {
  // All zeros and all ones (defined illegal), compressed words, reserved rounding modes and shift amounts, gaps.
  for (std::uint32_t word : {0x00000000u, 0xffffffffu, 0x00004501u, 0x00c5d553u, 0x00c5e553u, 0x0205951bu, 0x10200073u,
                             0x00003003u | 0x7000u, 0x0000007bu}) {
    INFO(std::hex << word);
    CHECK(decode(word).op == Op::illegal);
  }
}

TEST_CASE("gaps have names that no row has") {
  for (const GapDef& gap : gaps()) {
    CHECK_FALSE(find_op(gap.mnemonic).has_value());
    CHECK_FALSE(gap.reason.empty());
    CHECK(gap.chapter < chapters().size());
  }
}
