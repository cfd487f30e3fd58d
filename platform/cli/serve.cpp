#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "platform/cli/child.h"
#include "platform/cli/commands.h"

namespace castor::cli {
namespace {

std::string default_socket() {
  const char* runtime = getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && std::filesystem::is_directory(runtime)) return std::string(runtime) + "/castor.sock";
  return fmt::format("/tmp/castor-{}.sock", getuid());
}

void wait_for_end() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  int signal = 0;
  sigwait(&set, &signal);
}

}  // namespace

int serve(const MachineArguments& machine_arguments, const ServeArguments& arguments) {
  // A private machine ends with its peer; signals have their usual effect on it.
  if (arguments.fd < 0) (void)block_signals();
  const Prefix prefix = find_prefix();
  auto machine = start_machine(machine_arguments, prefix);
  if (!machine) return fail(machine.status());
  if (arguments.fd >= 0) {
    if (Status status = (*machine)->adopt(arguments.fd); !status.ok()) return fail(status);
    (*machine)->wait_until_unused();
  } else {
    const std::string socket = arguments.socket.empty() ? default_socket() : arguments.socket;
    if (Status status = (*machine)->listen(socket); !status.ok()) return fail(status);
    fmt::print("export {}={}\nexport LD_LIBRARY_PATH={}\n", board::Machine::socket_variable(),
               std::filesystem::absolute(socket).string(), prefix.libraries);
    std::fflush(stdout);
    wait_for_end();
  }
  (*machine)->stop();
  return 0;
}

}  // namespace castor::cli
