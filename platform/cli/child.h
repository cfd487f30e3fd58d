// Child: the program that `castor run` runs.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "platform/core/result.h"

namespace castor::cli {

/// Blocks the signals that run_child waits for, in this thread and in those it starts. The mask before is for the child.
sigset_t block_signals();

struct Program {
  std::vector<std::string> arguments;    // the first is the program: a path, or a name to look for in PATH
  std::vector<std::string> environment;  // NAME=VALUE, in place of those of the same name
  sigset_t mask;
};

/// Runs it to its end with our stdin, stdout and stderr; signals sent to us are passed on. Its exit code, or 128 + the signal that
/// ended it.
Result<int> run_child(const Program& program);

}  // namespace castor::cli
