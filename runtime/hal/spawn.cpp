// A private machine: a child process that serves one socket and ends when the socket closes.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/hal/channel.h"
#include "runtime/hal/client.h"

extern char** environ;

namespace castor::hal {
namespace {

/// Starts the program with `inherited` as descriptor 3 and nothing of the application's but stdin to stderr.
int start(const std::string& executable, int inherited, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);  // the application's stdout is its own
  posix_spawn_file_actions_adddup2(&actions, inherited, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  // Ctrl-C is for the application; the machine ends with it.
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::string serve = kPrivateMachineArguments[0], fd = kPrivateMachineArguments[1], three = "3", name = executable;
  char* const arguments[] = {name.data(), serve.data(), fd.data(), three.data(), nullptr};
  const int error = ::posix_spawn(&child, executable.c_str(), &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Result<std::unique_ptr<Client>> Client::spawn(const std::string& executable) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Status{StatusCode::io_error, std::string("no socket pair: ") + std::strerror(errno)};
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  // dup2 onto itself would leave close-on-exec set.
  if (theirs.get() == 3) theirs = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  pid_t child = -1;
  if (const int error = start(executable, theirs.get(), child); error != 0) {
    return Status{StatusCode::not_found, "cannot start a machine with '" + executable + "': " + std::strerror(error)};
  }
  theirs.reset();
  std::unique_ptr<Client> client(new Client(ours.release(), child));
  if (Status status = client->hello(); !status) {
    return Status{StatusCode::device_lost,
                  "the machine started with '" + executable + "' does not answer: " + status.message()};
  }
  return client;
}

}  // namespace castor::hal
