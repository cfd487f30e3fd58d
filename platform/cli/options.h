// What the command line says about the machine, the same for every command that builds one.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "platform/board/machine.h"
#include "platform/cli/paths.h"

namespace CLI {
class App;
}

namespace castor::cli {

struct MachineArguments {
  std::string config = "two-die";
  std::string trace;       // "fabric", or empty
  std::string trace_file;  // empty: stderr
  std::optional<unsigned> threads;
  std::string stats;  // file for statistics; "-": stderr, for people; empty: none
};

void add_config_option(CLI::App& command, MachineArguments& arguments);
void add_machine_options(CLI::App& command, MachineArguments& arguments);

/// The specification that they mean.
Result<board::MachineSpec> machine_spec(const MachineArguments& arguments, const Prefix& prefix);
/// Builds that machine and brings it up.
Result<std::unique_ptr<board::Machine>> start_machine(const MachineArguments& arguments, const Prefix& prefix);

/// What --stats asks for, at the end of a run.
Status write_statistics(const MachineArguments& arguments, const board::Machine& machine);

/// Says why on stderr and gives the exit code of a command that has failed by itself.
int fail(const Status& status);

}  // namespace castor::cli
