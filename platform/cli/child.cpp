#include "platform/cli/child.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace castor::cli {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kForwarded) sigaddset(&set, signal);
  sigaddset(&set, SIGCHLD);
  return set;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& own) {
  std::vector<std::string> result = own;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& value : own) replaced = replaced || value.starts_with(name);
    if (!replaced) result.emplace_back(text);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Result<pid_t> start(const Program& program) {
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = merged_environment(program.environment);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &program.mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments[0].c_str(), nullptr, &attributes, pointers(arguments).data(),
                                 pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return child;
  const bool bare = arguments[0].find('/') == std::string::npos;
  const std::string hint = bare && access(arguments[0].c_str(), F_OK) == 0
                               ? fmt::format("; to run the file here, write ./{}", arguments[0])
                               : std::string();
  return Status{StatusCode::not_found, fmt::format("cannot run '{}': {}{}", arguments[0], std::strerror(error), hint)};
}

}  // namespace

sigset_t block_signals() {
  sigset_t before;
  const sigset_t set = waited_for();
  pthread_sigmask(SIG_BLOCK, &set, &before);
  return before;
}

Result<int> run_child(const Program& program) {
  auto child = start(program);
  if (!child) return child.status();
  const sigset_t set = waited_for();
  while (true) {
    int status = 0;
    if (waitpid(*child, &status, WNOHANG) == *child)
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    siginfo_t info{};
    const int signal = sigwaitinfo(&set, &info);
    // What the terminal sends goes to the child's process group, which is ours, without our help.
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL) kill(*child, signal);
  }
}

}  // namespace castor::cli
