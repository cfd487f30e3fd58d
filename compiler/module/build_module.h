// NVVM bitcode in, GPU module out: the compiler's middle, which every front door uses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platform/core/result.h"

namespace castor::compiler {

struct BuildOptions {
  unsigned arch = 120;      // 10 * major + minor
  unsigned optimize = 3;    // 0 to 3
  bool debug_info = false;  // keep DWARF: what the front end wrote
  std::string library;      // device library (bitcode)
  std::string dump_after;   // name of a pass: the IR after it goes to stderr (CASTOR_DUMP_AFTER)
};

/// The ELF file as gpu/abi/module.h describes it. A message begins with file:line where the source is at fault.
Result<std::vector<std::uint8_t>> build_module(std::span<const std::uint8_t> bitcode, const BuildOptions& options);

}  // namespace castor::compiler
