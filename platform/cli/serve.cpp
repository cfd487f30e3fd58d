#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "platform/cli/child.h"
#include "platform/cli/commands.h"
#include "runtime/hal/protocol.h"
#include "runtime/hal/server.h"

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
  (void)block_signals();
  const Prefix prefix = find_prefix();
  auto machine = start_machine(machine_arguments, prefix);
  if (!machine) return fail(machine.status());
  hal::Server& server = (*machine)->server();
  if (arguments.fd >= 0) {
    if (Status status = server.adopt(arguments.fd); !status.ok()) return fail(status);
    server.wait_until_unused();
  } else {
    const std::string socket = arguments.socket.empty() ? default_socket() : arguments.socket;
    if (Status status = server.listen(socket); !status.ok()) return fail(status);
    fmt::print("export {}={}\nexport LD_LIBRARY_PATH={}\n", hal::kSocketVariable,
               std::filesystem::absolute(socket).string(), prefix.libraries);
    std::fflush(stdout);
    wait_for_end();
  }
  (*machine)->stop();
  return 0;
}

}  // namespace castor::cli
