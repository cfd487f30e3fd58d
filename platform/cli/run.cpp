#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "platform/cli/child.h"
#include "platform/cli/commands.h"

namespace castor::cli {
namespace {

constexpr int kNotStarted = 127;  // as shells say it

/// A folder that goes when the object does.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "castor-XXXXXX").string();
    if (mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  Status status() const {
    if (!path_.empty()) return {};
    return {StatusCode::io_error, fmt::format("cannot make a temporary folder: {}", std::strerror(errno))};
  }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// The compiler runs in a process of its own, so that LLVM is not in the machine's.
Result<int> compile(const std::string& source, const std::string& output, const Prefix& prefix, const sigset_t& mask) {
  return run_child({{prefix.self, "cc", source, "-o", output}, {}, mask});
}

std::string library_path(const Prefix& prefix) {
  const char* before = getenv("LD_LIBRARY_PATH");
  std::string path = "LD_LIBRARY_PATH=" + prefix.libraries;
  if (before != nullptr && *before != '\0') path += std::string(":") + before;
  return path;
}

std::vector<std::string> environment(const Prefix& prefix, const std::string& socket) {
  std::vector<std::string> result{library_path(prefix),
                                  fmt::format("{}={}", board::Machine::socket_variable(), socket)};
#ifdef CASTOR_SANITIZER_RUNTIME
  // Our libraries want the runtime first in the program; the program's own leaks are not ours to report.
  result.push_back(std::string("LD_PRELOAD=") + CASTOR_SANITIZER_RUNTIME);
  const char* options = getenv("ASAN_OPTIONS");
  result.push_back(fmt::format("ASAN_OPTIONS={}detect_leaks=0", options == nullptr ? "" : std::string(options) + ":"));
#endif
  return result;
}

}  // namespace

int run(const MachineArguments& machine_arguments, const std::vector<std::string>& arguments) {
  const sigset_t mask = block_signals();
  const Prefix prefix = find_prefix();
  const TemporaryFolder folder;
  if (Status status = folder.status(); !status.ok()) return fail(status);

  std::vector<std::string> command = arguments;
  if (command[0].ends_with(".cu")) {
    const std::string program = folder.file("program");
    auto code = compile(command[0], program, prefix, mask);
    if (!code) return fail(code.status());
    if (*code != 0) return *code;
    command[0] = program;
  }

  auto machine = start_machine(machine_arguments, prefix);
  if (!machine) return fail(machine.status());
  const std::string socket = folder.file("machine");
  if (Status status = (*machine)->listen(socket); !status.ok()) return fail(status);
  auto code = run_child({command, environment(prefix, socket), mask});
  const Status written = write_statistics(machine_arguments, **machine);
  (*machine)->stop();
  if (!written.ok()) fail(written);
  if (code) return *code;
  fail(code.status());
  return kNotStarted;
}

}  // namespace castor::cli
