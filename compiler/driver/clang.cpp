#include "compiler/driver/clang.h"

#include <fmt/format.h>
#include <unistd.h>

#include "compiler/driver/toolkit.h"

namespace castor::compiler {
namespace {

// The newest release that clang 19 knows: from it it learns how kernels are launched. Programs see the one below.
constexpr const char* kClangCudaVersion = "12.5";
constexpr const char* kCudaMajor = "12";
constexpr const char* kCudaMinor = "8";

void append(Command& command, std::initializer_list<std::string> items) { command.insert(command.end(), items); }
void append(Command& command, const std::vector<std::string>& items) {
  command.insert(command.end(), items.begin(), items.end());
}

// What clang refuses or complains of by default, and the compilers that CUDA programs are written against take.
constexpr const char* kLeniency[] = {"-Wno-c++11-narrowing",
                                     "-Wno-register",
                                     "-Wno-vla-cxx-extension",
                                     "-Wno-implicit-const-int-float-conversion",
                                     "-Wno-unknown-cuda-version",
                                     "-Wno-unknown-warning-option",
                                     "-Wno-unused-command-line-argument"};

void append_common(Command& command, const Options& options) {
  command.push_back(isatty(2) != 0 ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
  command.insert(command.end(), std::begin(kLeniency), std::end(kLeniency));
  if (options.no_warnings) command.push_back("-w");
  if (options.warnings_are_errors) command.push_back("-Werror");
  if (!options.language_standard.empty()) command.push_back("-std=" + options.language_standard);
  append(command, options.preprocessor);
  append(command, {"-isystem", toolkit().include.string()});
}

/// What both halves of a CUDA source see. No file of another CUDA installation is looked for.
Command cuda_command(const Options& options, const std::string& unit_id) {
  Command command{"clang++-19",      "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=" + toolkit().root.string(),
                  "-cuid=" + unit_id};
  append(command, {"-Xclang", fmt::format("-target-sdk-version={}", kClangCudaVersion)});
  append(command, {"-D__NVCC__=1", "-D__CUDACC__=1", fmt::format("-D__CUDACC_VER_MAJOR__={}", kCudaMajor),
                   fmt::format("-D__CUDACC_VER_MINOR__={}", kCudaMinor), "-D__CUDACC_VER_BUILD__=0",
                   fmt::format("-D__CUDA_ARCH_LIST__={}0", options.arch), "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                   "-D__CUDACC_EXTENDED_LAMBDA__=1"});
  if (options.fast_math) command.push_back("-D__USE_FAST_MATH__=1");
  append_common(command, options);
  append(command, {"-include", (toolkit().include / "cuda_runtime.h").string()});
  return command;
}

/// Given to the compiler proper: for NVPTX the driver would reduce debug information to what ptxas takes.
void append_device_debug(Command& command, DebugInfo info) {
  // Line tables always: errors of later passes name the source line. They are stripped unless asked for.
  const char* kind = info == DebugInfo::full ? "limited" : "line-tables-only";
  append(command, {"-Xclang", fmt::format("-debug-info-kind={}", kind), "-Xclang", "-dwarf-version=4"});
}

void append_device(Command& command, const Options& options) {
  append(command, {"--cuda-device-only", "--cuda-gpu-arch=sm_90", "--cuda-feature=+ptx85", "-U__CUDA_ARCH__",
                   fmt::format("-D__CUDA_ARCH__={}0", options.arch), "-Wno-builtin-macro-redefined"});
  if (options.arch == 90) command.push_back("-D__CUDA_ARCH_FEAT_SM90_ALL=1");
  if (!options.prec_div) command.push_back("-D__CASTOR_FAST_DIVISION__=1");
  command.push_back(options.fmad ? "-ffp-contract=fast" : "-ffp-contract=off");
  command.push_back(options.device_opt == 0 ? "-O0" : "-O3");
  append_device_debug(command, options.device_debug);
}

}  // namespace

Command device_command(const Options& options, const std::string& source, const std::string& unit_id) {
  Command command = cuda_command(options, unit_id);
  append_device(command, options);
  append(command, {"-emit-llvm", "-c", "-o", "-", source});
  if (options.device_opt != 0) append(command, {"-Xclang", "-disable-llvm-passes"});
  return command;
}

Command host_command(const Options& options, const std::string& source, const std::string& unit_id) {
  Command command = cuda_command(options, unit_id);
  append(command, {"--cuda-host-only", fmt::format("-O{}", options.host_opt)});
  if (options.host_debug == DebugInfo::full) command.push_back("-g");
  append(command, options.host_flags);
  append(command, options.dependency_flags);
  append(command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", "/dev/stdin", "-c", "-o", "-", source});
  return command;
}

Command plain_command(const Options& options, const std::string& source) {
  const bool is_c = source.ends_with(".c");
  Command command{is_c ? "clang-19" : "clang++-19", fmt::format("-O{}", options.host_opt)};
  append_common(command, options);
  if (options.host_debug == DebugInfo::full) command.push_back("-g");
  append(command, options.host_flags);
  append(command, options.dependency_flags);
  append(command, {"-c", "-o", "-", source});
  return command;
}

Command preprocess_command(const Options& options, const std::string& source, bool cuda) {
  if (cuda) {
    Command command = cuda_command(options, "preprocess");
    append(command, {"--cuda-host-only", "-E", "-o", "-", source});
    return command;
  }
  Command command{"clang++-19"};
  append_common(command, options);
  append(command, {"-E", "-o", "-", source});
  return command;
}

Command link_command(const Options& options, const std::vector<std::string>& objects, const std::string& output) {
  const std::string libraries = toolkit().libraries.string();
  Command command{"clang++-19", "-fuse-ld=lld-19", "-o", output};
  if (options.shared) command.push_back("-shared");
  append(command, options.host_flags);
  append(command, objects);
  append(command, options.link_flags);
  append(command, {"-L" + libraries, "-Wl,-rpath-link," + libraries, "-lcudart", "-ldl", "-lpthread", "-lrt"});
  return command;
}

}  // namespace castor::compiler
