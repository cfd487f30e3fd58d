#include "gpu/isa/insn.h"

#include "gpu/isa/syntax.h"

namespace castor::isa {
namespace {

/// A row as written; `kind` says which macro it came from.
struct Row {
  enum Kind : std::uint8_t { insn, gap, chapter } kind;
  std::string_view id, name, bits, syntax, doc;
};

constexpr Row kRows[] = {
#define CHAPTER(id, title, march) {Row::chapter, #id, title, march, "", ""},
#define INSN(id, mnemonic, bits, syntax, doc) {Row::insn, #id, mnemonic, bits, syntax, doc},
#define GAP(id, mnemonic, reason) {Row::gap, #id, mnemonic, "", "", reason},
#include "gpu/isa/insns.inc"
};

/// Stops the compilation: not constexpr, so an evaluation that reaches it is no constant.
void bad_row(const char*) {}
consteval void require(bool condition, const char* why) {
  if (!condition) bad_row(why);
}

/// For each character of a picture, which bits of the word it covers.
struct Picture {
  std::uint32_t mask[128] = {};
  unsigned width = 0;

  consteval explicit Picture(std::string_view bits) {
    for (std::size_t i = bits.size(); i-- > 0;) {
      if (bits[i] != ' ') mask[static_cast<unsigned char>(bits[i])] |= 1u << (width++ & 31);
    }
    require(width == 32, "a picture has 32 bits");
  }
  consteval std::uint32_t operator[](char letter) const { return mask[static_cast<unsigned char>(letter)]; }
};

struct Place {
  char letter;
  std::uint32_t mask;
  ImmKind imm;
};

/// Where each letter has to lie.
constexpr Place kPlaces[] = {
    {'d', 0x00000f80, ImmKind::none},  {'a', 0x000f8000, ImmKind::none},  {'b', 0x01f00000, ImmKind::none},
    {'c', 0xf8000000, ImmKind::none},  {'z', 0x000f8000, ImmKind::none},  {'k', 0x000f8000, ImmKind::none},
    {'i', 0xfff00000, ImmKind::i},     {'s', 0xfe000f80, ImmKind::s},     {'B', 0xfe000f80, ImmKind::b},
    {'U', 0xfffff000, ImmKind::u},     {'J', 0xfffff000, ImmKind::j},     {'r', 0xfff00000, ImmKind::csr},
    {'h', 0x01f00000, ImmKind::shamt}, {'h', 0x03f00000, ImmKind::shamt}, {'p', 0x0f000000, ImmKind::fence},
    {'n', 0x00f00000, ImmKind::none},  {'m', 0x00007000, ImmKind::none},  {'M', 0x00007000, ImmKind::none},
    {'q', 0x04000000, ImmKind::none},  {'l', 0x02000000, ImmKind::none},
};

/// Every bit belongs to a fixed bit or to a letter in its place; finds the immediate.
consteval ImmKind check_places(const Picture& picture) {
  std::uint32_t covered = picture['0'] | picture['1'] | picture['-'];
  ImmKind imm = ImmKind::none;
  for (const Place& place : kPlaces) {
    if (picture[place.letter] != place.mask) continue;
    covered |= place.mask;
    if (place.imm == ImmKind::none) continue;
    require(imm == ImmKind::none, "a row has one immediate");
    imm = place.imm;
  }
  require(covered == 0xffff'ffff, "a letter of the picture is unknown or not in its place");
  return imm;
}

/// Every letter of the picture is an operand of the syntax and the other way round (q and l are a suffix).
consteval void check_syntax(InsnDef& def, const Picture& picture) {
  std::uint32_t named = picture['0'] | picture['1'] | picture['-'] | picture['q'] | picture['l'];
  std::string_view rest = def.syntax;
  for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
    const char letter = operand_letter(token);
    if (letter == '\0') continue;
    require(picture[letter] != 0, "an operand of the syntax has no field");
    require((named & picture[letter]) == 0, "an operand is written twice in the syntax");
    named |= picture[letter];
    const RegFile file = is_float_register(token) ? RegFile::f : RegFile::x;
    if (letter == 'd') def.d = file;
    if (letter == 'a') def.a = file;
    if (letter == 'b') def.b = file;
    if (letter == 'c') def.c = file;
  }
  require(named == 0xffff'ffff, "a field of the picture is no operand");
}

consteval InsnDef define(const Row& row, std::uint8_t chapter) {
  InsnDef def{.id = row.id, .mnemonic = row.name, .bits = row.bits, .syntax = row.syntax, .doc = row.doc};
  const Picture picture(def.bits);
  def.mask = picture['0'] | picture['1'];
  def.match = picture['1'];
  require((def.mask & 0x7f) == 0x7f && (def.match & 3) == 3,
          "an instruction is a word with a fixed opcode that ends in 11");
  def.imm = check_places(picture);
  def.rounding = (picture['m'] | picture['M']) != 0;
  def.rounding_letter = picture['M'] != 0 ? 'M' : def.rounding ? 'm' : '\0';
  def.ordered = picture['q'] != 0;
  def.small_imm = (picture['z'] | picture['k']) != 0;
  def.chapter = chapter;
  check_syntax(def, picture);
  return def;
}

consteval std::size_t count(Row::Kind kind) {
  std::size_t n = 0;
  for (const Row& row : kRows) n += row.kind == kind;
  return n;
}

consteval auto collect_insns() {
  std::array<InsnDef, kOpCount> insns{};
  std::uint8_t chapters = 0;
  std::size_t n = 0;
  for (const Row& row : kRows) {
    chapters += row.kind == Row::chapter;
    if (row.kind == Row::insn) insns[n++] = define(row, static_cast<std::uint8_t>(chapters - 1));
  }
  return insns;
}

consteval auto collect_gaps() {
  std::array<GapDef, count(Row::gap)> gaps{};
  std::uint8_t chapters = 0;
  std::size_t n = 0;
  for (const Row& row : kRows) {
    chapters += row.kind == Row::chapter;
    if (row.kind == Row::gap) gaps[n++] = {row.id, row.name, row.doc, static_cast<std::uint8_t>(chapters - 1)};
  }
  return gaps;
}

consteval auto collect_chapters() {
  std::array<Chapter, count(Row::chapter)> chapters{};
  std::size_t n = 0;
  for (const Row& row : kRows) {
    if (row.kind == Row::chapter) chapters[n++] = {row.name, row.bits};
  }
  return chapters;
}

constexpr auto kInsnTable = collect_insns();
constexpr auto kGapTable = collect_gaps();
constexpr auto kChapterTable = collect_chapters();

/// Two rows may match the same word only if one of them fixes all that the other fixes, and more.
consteval bool no_two_rows_overlap() {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    for (std::size_t j = i + 1; j < kOpCount; ++j) {
      const InsnDef &a = kInsnTable[i], &b = kInsnTable[j];
      const std::uint32_t both = a.mask & b.mask;
      const bool nested = a.mask != b.mask && (both == a.mask || both == b.mask);
      if (((a.match ^ b.match) & both) == 0 && !nested) return false;
    }
  }
  return true;
}
static_assert(no_two_rows_overlap(), "two rows of the instruction table match the same word");

}  // namespace

constinit const std::array<InsnDef, kOpCount> kInsns = kInsnTable;

std::span<const Chapter> chapters() { return kChapterTable; }
std::span<const GapDef> gaps() { return kGapTable; }

}  // namespace castor::isa
