// The commands of `castor`; each gives the exit code.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/options.h"

namespace castor::cli {

/// A machine of its own for one program. `arguments` begin with the program, or with a .cu file to be compiled first.
int run(const MachineArguments& machine, const std::vector<std::string>& arguments);

struct ServeArguments {
  std::string socket;  // path; empty: one of our own choice
  int fd = -1;         // serve the peer of this socket alone
};
/// One machine for many programs, until a signal comes; with `fd`, until the peer has gone.
int serve(const MachineArguments& machine, const ServeArguments& arguments);

/// Draws the machine on stdout.
int info(const MachineArguments& machine);

}  // namespace castor::cli
