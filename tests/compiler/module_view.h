// A GPU module as a test sees it: read with LLVM's ELF library, not with the code that wrote it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/abi/module.h"

namespace castor::compiler::test {

struct Segment {
  std::uint64_t address, memory_bytes;
  std::vector<std::uint8_t> content;
  bool write, execute;
};

struct ModuleView {
  std::vector<Segment> segments;                 // PT_LOAD
  std::map<std::string, std::uint64_t> symbols;  // defined ones
  std::vector<std::string> undefined;
  std::map<std::string, castor_kernel_desc> kernels;  // by the kernel's name
  std::map<std::string, std::vector<castor_note_param>> params;
  std::vector<std::pair<std::uint64_t, std::int64_t>> relative;  // R_RISCV_RELATIVE: place, addend
  std::vector<unsigned> other_relocations;                       // types that a module must not have
  std::uint64_t tls_bytes = 0;
  bool position_independent = false;
  std::vector<std::string> sections;

  /// The kernel whose name is `name`, or whose mangled name contains it as _Z<length><name>.
  std::string find_kernel(const std::string& name) const;
};

/// Empty message on success.
std::string read_module(const std::vector<std::uint8_t>& file, ModuleView& view);

}  // namespace castor::compiler::test
