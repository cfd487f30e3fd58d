// Prints every register of the device as a markdown page.
#include <fmt/format.h>

#include "gpu/abi/register_view.h"

namespace {

void print_block(const castor::gpu::reg::BlockDef& block) {
  fmt::print("## {}: {}\n\n| offset | register | access | reset | field | bits | meaning |\n", block.name, block.doc);
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const castor::RegisterDef& def : block.registers) {
    fmt::print("| {:#05x} | {} | {} | {:#010x} | | | {} |\n", def.offset, def.name, name(def.access), def.reset,
               def.doc);
    for (const castor::FieldDef& field : block.fields) {
      if (field.offset != def.offset) continue;
      const unsigned top = field.shift + field.width - 1;
      fmt::print("| | | | | {} | {} | {} |\n", field.name,
                 top == field.shift ? fmt::to_string(top) : fmt::format("{}:{}", top, field.shift), field.doc);
    }
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  for (const auto& block : castor::gpu::reg::kBlocks) print_block(block);
}
