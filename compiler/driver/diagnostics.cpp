#include "compiler/driver/diagnostics.h"

#include <cstdio>

namespace castor::compiler {
namespace {

bool starts_diagnostic(std::string_view line) {
  if (line.starts_with("In file included from")) return true;
  return line.find("error: ") != std::string_view::npos || line.find("warning: ") != std::string_view::npos;
}

/// "2 errors generated when compiling for sm_90." counts one half of the compilation.
bool is_summary(std::string_view line) {
  return line.find(" generated") != std::string_view::npos &&
         (line.find(" error") != std::string_view::npos || line.find(" warning") != std::string_view::npos) &&
         line.find(": ") == std::string_view::npos;
}

}  // namespace

void DiagnosticPrinter::print(std::string_view text) {
  std::string block;
  bool headline_seen = false;
  const auto flush = [&] {
    if (!block.empty() && shown_.insert(block).second) std::fwrite(block.data(), 1, block.size(), stderr);
    block.clear();
    headline_seen = false;
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1);
    const auto line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    if (is_summary(line)) continue;
    const bool include = line.starts_with("In file included from");
    if (starts_diagnostic(line) && headline_seen) flush();
    headline_seen |= starts_diagnostic(line) && !include;
    block += line;
  }
  flush();
}

}  // namespace castor::compiler
