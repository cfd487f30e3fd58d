// Messages of clang's two passes over one source, shown once.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace castor::compiler {

class DiagnosticPrinter {
 public:
  /// Prints what has not been printed yet, diagnostic by diagnostic (a headline with its notes and source lines).
  void print(std::string_view text);

 private:
  std::set<std::string, std::less<>> shown_;
};

}  // namespace castor::compiler
