// Prints every register of configuration space as a markdown page.
#include <fmt/format.h>

#include "cxl/abi/config_view.h"

int main() {
  for (const auto& structure : castor::cxl::cfg::kStructures) {
    fmt::print("\n## {}\n\n", structure.doc);
    if (structure.id != 0)
      fmt::print("{} {:#x}.\n\n", structure.extended ? "Extended capability" : "Capability", structure.id);
    fmt::print("| offset | register | bytes | reset | writable | write one to clear | what it is |\n");
    fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
    for (const auto& def : structure.registers)
      fmt::print("| {:#04x} | {} | {} | {:#x} | {:#x} | {:#x} | {} |\n", def.offset, def.name, def.bytes, def.reset,
                 def.writable, def.clearable, def.doc);
  }
  fmt::print("\n");
}
