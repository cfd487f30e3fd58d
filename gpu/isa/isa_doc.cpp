// Prints the reference page of the instruction set (Markdown) from the rows; `./x regen` puts it into REFERENCE.md.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "gpu/isa/csr.h"
#include "gpu/isa/insn.h"

namespace castor::isa {
namespace {

/// A vertical bar would end the table's cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

void print_chapter(std::size_t chapter) {
  fmt::print("\n### {}\n\n", chapters()[chapter].title);
  fmt::print("| instruction | encoding, bit 31 first | meaning |\n| --- | --- | --- |\n");
  for (const InsnDef& row : kInsns) {
    if (row.chapter != chapter) continue;
    const std::string text =
        row.syntax.empty() ? std::string(row.mnemonic) : fmt::format("{} {}", row.mnemonic, row.syntax);
    fmt::print("| `{}` | `{}` | {} |\n", text, row.bits, cell(row.doc));
  }
  for (const GapDef& gap : gaps()) {
    if (gap.chapter == chapter) fmt::print("| `{}` | not built | {} |\n", gap.mnemonic, cell(gap.reason));
  }
}

void print_page() {
  fmt::print("{} operations in {} chapters; {} designed ones are not built and decode as illegal.\n", kInsns.size(),
             chapters().size(), gaps().size());
  for (std::size_t chapter = 0; chapter < chapters().size(); ++chapter) print_chapter(chapter);
  fmt::print("\n### Control and status registers\n\n| number | name | meaning |\n| --- | --- | --- |\n");
  for (const CsrDef& csr : kCsrs) fmt::print("| {:#05x} | `{}` | {} |\n", csr.number, csr.name, cell(csr.doc));
}

}  // namespace
}  // namespace castor::isa

int main() { castor::isa::print_page(); }
