// Prints the keys of a machine configuration as markdown tables, a table of the file each.
#include <fmt/format.h>

#include <cstdint>

#include "platform/board/config.h"

namespace {

std::string range(const castor::board::ConfigKey& key) {
  if (key.kind == "flag") return "true, false";
  if (key.kind == "masks") return "array";
  const auto most = key.most == INT64_MAX ? std::string() : fmt::to_string(key.most);
  return fmt::format("{} … {}", key.least, most);
}

}  // namespace

int main() {
  std::string_view table = "none yet";
  for (const auto& key : castor::board::config_keys()) {
    if (key.table != table) {
      table = key.table;
      fmt::print("\n{}\n\n| key | kind | range | what it is |\n| --- | --- | --- | --- |\n",
                 table.empty() ? std::string("Top level:") : fmt::format("Table `[{}]`:", table));
    }
    fmt::print("| `{}` | {} | {} | {} |\n", key.key, key.kind, range(key), key.doc);
  }
  fmt::print("\n");
}
