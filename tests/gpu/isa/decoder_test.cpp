#include <bit>
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

struct Picture {
  std::uint32_t mask = 0, match = 0;
};

/// Fixed bits, read from the text of the pictures alone.
std::vector<Picture> read_pictures() {
  std::vector<Picture> pictures;
  for (const InsnDef& row : kInsns) {
    Picture picture;
    for (char c : row.bits) {
      if (c == ' ') continue;
      picture.mask = picture.mask << 1 | (c == '0' || c == '1' ? 1u : 0u);
      picture.match = picture.match << 1 | (c == '1' ? 1u : 0u);
    }
    pictures.push_back(picture);
  }
  return pictures;
}

/// The row that the word matches, by looking at all of them; of two, the one with more fixed bits.
Op scan(std::uint32_t word) {
  static const std::vector<Picture> pictures = read_pictures();
  std::size_t best = pictures.size();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if ((word & pictures[i].mask) != pictures[i].match) continue;
    if (best == pictures.size() || std::popcount(pictures[i].mask) > std::popcount(pictures[best].mask)) best = i;
  }
  if (best == pictures.size()) return Op::illegal;
  const unsigned rm = word >> 12 & 7;
  return kInsns[best].rounding && (rm == 5 || rm == 6) ? Op::illegal : op_at(best);
}

/// What is wrong with the decoding of a word; empty if nothing is. Millions of words: Catch's macros are too slow here.
std::string wrong(std::uint32_t word) {
  const Decoded insn = decode(word);
  if (insn.op != scan(word)) return "another row";
  if (insn.op == Op::illegal) {
    if (insn != Decoded{}) return "fields in an illegal instruction";
    return disassemble(word).starts_with(".word 0x") ? "" : "text of an illegal word";
  }
  // Ignored bits aside, the word comes back.
  const std::uint32_t again = encode(insn);
  if (decode(again) != insn) return "fields do not come back";
  if (def(insn.op).bits.find('-') == std::string_view::npos && again != word) return "the word does not come back";
  return disassemble(word).empty() ? "no text" : "";
}

void check(std::uint32_t word) {
  const std::string what = wrong(word);
  if (what.empty()) return;
  INFO(std::hex << word);
  FAIL(what);
}

}  // namespace

TEST_CASE("any word decodes as a scan of the rows says") {
  RandomInsn random(2);
  for (int i = 0; i < 300'000; ++i) check(static_cast<std::uint32_t>(random.bits()) | (i % 4 != 0 ? 3u : 0u));
  SUCCEED();
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
  SUCCEED();
}

TEST_CASE("words known to be no instruction are illegal") {
  // All zeros and all ones (defined illegal), compressed words, reserved rounding modes and shift amounts, gaps.
  for (std::uint32_t word : {0x00000000u, 0xffffffffu, 0x00004501u, 0x00c5d553u, 0x00c5e553u, 0x0205951bu, 0x10200073u,
                             0x00003003u | 0x7000u, 0x0000007bu}) {
    INFO(std::hex << word);
    CHECK(decode(word).op == Op::illegal);
  }
}

TEST_CASE("reserved fences are fences") {
  CHECK(decode(0x0330000f).op == Op::fence);
  CHECK(decode(0x8330000f).op == Op::fence_tso);
  CHECK(decode(0x8310000f).op == Op::fence);      // fence.tso with other sets
  CHECK(decode(0x4330000f).op == Op::fence);      // an unknown mode
  CHECK(decode(0x83358f8f).op == Op::fence_tso);  // rs1 and rd are ignored
  CHECK(decode(0x0000000f).op == Op::fence);      // no sets at all
}

TEST_CASE("gaps have names that no row has") {
  for (const GapDef& gap : gaps()) {
    CHECK_FALSE(find_op(gap.mnemonic).has_value());
    CHECK_FALSE(gap.reason.empty());
    CHECK(gap.chapter < chapters().size());
  }
}
