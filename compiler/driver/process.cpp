#include "compiler/driver/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace castor::compiler {
namespace {

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return false;
    read = fds[0];
    write = fds[1];
    return true;
  }
};

void close_fd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// Reads what is there; closes at the end of the stream.
template <class Container>
void drain(int& fd, Container& into) {
  char buffer[65536];
  const ssize_t count = read(fd, buffer, sizeof buffer);
  if (count > 0) {
    into.insert(into.end(), buffer, buffer + count);
  } else if (count == 0 || errno != EINTR) {
    close_fd(fd);
  }
}

/// Writes what the pipe takes; closes when all is written or the tool has stopped reading.
void feed(int& fd, std::span<const std::uint8_t>& rest) {
  if (!rest.empty()) {
    const ssize_t count = write(fd, rest.data(), rest.size());
    if (count > 0) rest = rest.subspan(static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) rest = {};
  }
  if (rest.empty()) close_fd(fd);
}

/// A tool may end without having read its input; that must not end us.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() : old_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnoreBrokenPipe() { std::signal(SIGPIPE, old_); }

 private:
  void (*old_)(int);
};

}  // namespace

Result<Process> Process::start(const std::vector<std::string>& argv, bool feed_stdin) {
  Pipe in, out, err;
  if ((feed_stdin && !in.open()) || !out.open() || !err.open())
    return Status(StatusCode::io_error, fmt::format("cannot make a pipe: {}", std::strerror(errno)));

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (feed_stdin) {
    posix_spawn_file_actions_adddup2(&actions, in.read, 0);
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);

  std::vector<char*> pointers;
  for (const auto& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  Process process;
  const int error = posix_spawnp(&process.pid_, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);
  process.in_ = in.write;
  process.out_ = out.read;
  process.err_ = err.read;
  if (error != 0) {
    process.pid_ = -1;
    return Status(StatusCode::io_error, fmt::format("cannot run {}: {}", argv[0], std::strerror(error)));
  }
  if (process.in_ >= 0) fcntl(process.in_, F_SETFL, O_NONBLOCK);
  return process;
}

Process::Process(Process&& other) noexcept : pid_(other.pid_), in_(other.in_), out_(other.out_), err_(other.err_) {
  other.pid_ = other.in_ = other.out_ = other.err_ = -1;
}

Process::~Process() {
  close_fd(in_);
  close_fd(out_);
  close_fd(err_);
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
}

Process::Outcome Process::finish(std::span<const std::uint8_t> input) {
  const IgnoreBrokenPipe ignore;
  Outcome outcome;
  while (in_ >= 0 || out_ >= 0 || err_ >= 0) {
    pollfd fds[3] = {{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}};
    if (poll(fds, 3, -1) < 0 && errno != EINTR) break;
    if (in_ >= 0 && fds[0].revents != 0) feed(in_, input);
    if (out_ >= 0 && fds[1].revents != 0) drain(out_, outcome.out);
    if (err_ >= 0 && fds[2].revents != 0) drain(err_, outcome.err);
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  outcome.exit_code = exit_code_of(status);
  return outcome;
}

Result<Process::Outcome> run_process(const std::vector<std::string>& argv, std::span<const std::uint8_t> input) {
  auto process = Process::start(argv, !input.empty());
  if (!process) return process.status();
  return process->finish(input);
}

Result<MemoryFile> MemoryFile::create(const char* name, std::span<const std::uint8_t> content) {
  MemoryFile file(memfd_create(name, 0));  // no MFD_CLOEXEC: the tool inherits it
  if (file.fd_ < 0) return Status(StatusCode::io_error, fmt::format("memfd: {}", std::strerror(errno)));
  while (!content.empty()) {
    const ssize_t count = write(file.fd_, content.data(), content.size());
    if (count < 0) return Status(StatusCode::io_error, fmt::format("memfd: {}", std::strerror(errno)));
    content = content.subspan(static_cast<std::size_t>(count));
  }
  return file;
}

MemoryFile::~MemoryFile() { close_fd(fd_); }

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", fd_); }

std::string command_text(const std::vector<std::string>& argv) {
  std::string text;
  for (const auto& argument : argv) {
    if (!text.empty()) text += ' ';
    const bool plain = !argument.empty() && argument.find_first_of(" \t\"'\\$`*?;&|<>()") == std::string::npos;
    text += plain ? argument : fmt::format("'{}'", argument);
  }
  return text;
}

}  // namespace castor::compiler
