// Runs a module's kernels on an SM, with nothing of the driver in between.
#pragma once

#include <optional>
#include <string>

#include "tests/compiler/case_file.h"
#include "tests/compiler/module_view.h"

namespace castor::compiler::test {

struct Execution {
  std::string problem;               // why it could not run
  std::optional<std::string> fault;  // cause of the last launch's fault, by name
  std::string explanation;
  double simd_percent = 0;  // lanes active per instruction of the last launch
  std::map<std::string, std::vector<std::uint8_t>> buffers;
};

Execution execute(const ModuleView& module, const CaseFile& file);

}  // namespace castor::compiler::test
