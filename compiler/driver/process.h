// Runs the tools that are programs of their own (clang, lld, the host linker), without temporary files between them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "platform/core/result.h"

namespace castor::compiler {

using Bytes = std::vector<std::uint8_t>;

/// A started tool whose stdout and stderr are collected and whose stdin we may feed.
class Process {
 public:
  /// `input_fds` are inherited by the tool under the same numbers.
  static Result<Process> start(const std::vector<std::string>& argv, bool feed_stdin = false);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  struct Outcome {
    int exit_code = 0;  // 128 + signal if one ended it
    Bytes out;
    std::string err;
  };
  /// Writes `input` to stdin (if it is fed), closes it, and waits for the end.
  Outcome finish(std::span<const std::uint8_t> input = {});

 private:
  Process() = default;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
};

/// start and finish in one.
Result<Process::Outcome> run_process(const std::vector<std::string>& argv, std::span<const std::uint8_t> input = {});

/// A file in memory that tools can open by the path it gives, for as long as it lives.
class MemoryFile {
 public:
  static Result<MemoryFile> create(const char* name, std::span<const std::uint8_t> content);
  MemoryFile(MemoryFile&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();
  std::string path() const;

 private:
  explicit MemoryFile(int fd) : fd_(fd) {}
  int fd_ = -1;
};

/// A command as a shell would take it, for -v.
std::string command_text(const std::vector<std::string>& argv);

}  // namespace castor::compiler
