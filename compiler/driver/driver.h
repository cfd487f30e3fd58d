// `castor cc`: CUDA C++ in, host executables with GPU code in them out. The door of the compiler library.
//
// The library (toolkit/lib64/libcastor_compiler.so) carries LLVM; programs that only sometimes compile load it on
// first need through loader.h and never link it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platform/core/result.h"

namespace castor::compiler {

enum class DebugInfo : std::uint8_t { none, lines, full };

/// How far to go.
enum class Stage : std::uint8_t {
  preprocess,  // -E
  device_elf,  // -cubin: the GPU module alone
  fatbin,      // -fatbin
  object,      // -c
  link,        // an executable or, with -shared, a library
};

enum class Show : std::uint8_t { nothing, help, version };

struct Options {
  std::vector<std::string> inputs;  // .cu .cpp .c .o .a .so, in the order of the command line
  std::string output;               // empty: nvcc's default name
  Stage stage = Stage::link;
  Show show = Show::nothing;
  unsigned arch = 120;            // 10 * major + minor of __CUDA_ARCH__
  std::string language_standard;  // "c++17"; empty: clang's default for CUDA (c++17)
  bool all_cuda = false;          // -x cu: every source is CUDA
  unsigned host_opt = 0;
  unsigned device_opt = 3;  // 0 with -G
  DebugInfo host_debug = DebugInfo::none;
  DebugInfo device_debug = DebugInfo::none;
  bool fast_math = false, ftz = false, prec_div = true, prec_sqrt = true, fmad = true;
  bool shared = false;
  bool verbose = false;  // -v: show the commands
  bool keep = false;     // --keep: leave module and fat binary beside the output
  bool no_warnings = false, warnings_are_errors = false;
  std::vector<std::string> preprocessor;      // -I -D -U -isystem -include, for both sides
  std::vector<std::string> host_flags;        // -Xcompiler and -W
  std::vector<std::string> link_flags;        // -L -l -Xlinker, in order with respect to each other
  std::vector<std::string> dependency_flags;  // -MD and kin
};

/// Options of a command line as nvcc takes them; an unknown option is an error that names it.
Result<Options> parse_options(std::span<const std::string> arguments);

/// Compiles and links what `options` says. Diagnostics of the compilers go to stderr as they are; a Status without
/// message means that they have said it all.
Status compile(const Options& options);

/// A GPU module (gpu/abi/module.h) from CUDA C++ source: what NVRTC and tests need. No host part.
Result<std::vector<std::uint8_t>> compile_device(const Options& options, const std::string& source_path);

/// The command `castor cc ARGUMENTS…` (without the command's name): exit code.
int cc_main(std::span<const std::string> arguments);

}  // namespace castor::compiler
