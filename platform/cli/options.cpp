#include "platform/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>

#include "platform/board/config.h"

namespace castor::cli {
namespace {

/// A sink that writes whole lines; the file stays open as long as the sink lives.
Result<std::function<void(const std::string&)>> trace_sink(const MachineArguments& arguments) {
  using Sink = std::function<void(const std::string&)>;
  if (arguments.trace.empty()) return Sink{};
  std::shared_ptr<std::FILE> file(stderr, [](std::FILE*) {});
  if (!arguments.trace_file.empty()) {
    std::FILE* opened = std::fopen(arguments.trace_file.c_str(), "we");
    if (opened == nullptr)
      return Status{StatusCode::io_error,
                    fmt::format("cannot write the trace to {}: {}", arguments.trace_file, std::strerror(errno))};
    file.reset(opened, std::fclose);
  }
  return Sink([file](const std::string& line) { fmt::print(file.get(), "{}\n", line); });
}

}  // namespace

void add_config_option(CLI::App& command, MachineArguments& arguments) {
  command.add_option("--config", arguments.config, "Machine: a TOML file, or the name of one that comes with Castor")
      ->envname("CASTOR_CONFIG")
      ->capture_default_str();
}

void add_machine_options(CLI::App& command, MachineArguments& arguments) {
  add_config_option(command, arguments);
  command.add_option("--threads", arguments.threads, "Threads of this computer that run SMs (default: all processors)")
      ->check(CLI::Range(1u, 256u));
  command.add_option("--trace", arguments.trace, "Log every transaction of the fabric")
      ->check(CLI::IsMember({"fabric"}));
  command.add_option("--trace-file", arguments.trace_file, "Where the trace goes (default: stderr)")->needs("--trace");
}

Result<board::MachineSpec> machine_spec(const MachineArguments& arguments, const Prefix& prefix) {
  auto path = board::find_config(arguments.config, prefix.configs);
  if (!path) return path.status();
  auto spec = board::load_config(*path);
  if (spec && arguments.threads) spec->package.host_workers = *arguments.threads;
  return spec;
}

Result<std::unique_ptr<board::Machine>> start_machine(const MachineArguments& arguments, const Prefix& prefix) {
  auto spec = machine_spec(arguments, prefix);
  if (!spec) return spec.status();
  auto trace = trace_sink(arguments);
  if (!trace) return trace.status();
  return board::Machine::start(*spec, {.firmware = prefix.firmware, .trace = *trace});
}

Status write_statistics(const MachineArguments& arguments, const board::Machine& machine) {
  if (arguments.stats.empty()) return {};
  const auto s = machine.statistics();
  if (arguments.stats == "-") {
    fmt::print(stderr,
               "castor: {} kernels, {} blocks, {} warp instructions, {} thread instructions, {:.6f} s in kernels\n",
               s.kernels, s.blocks, s.warp_instructions, s.thread_instructions, s.kernel_seconds);
    return {};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(arguments.stats.c_str(), "we"), std::fclose);
  if (!file)
    return {StatusCode::io_error,
            fmt::format("cannot write the statistics to {}: {}", arguments.stats, std::strerror(errno))};
  fmt::print(file.get(),
             "{{\"kernels\": {}, \"blocks\": {}, \"warp_instructions\": {}, \"thread_instructions\": {}, "
             "\"kernel_seconds\": {:.9f}}}\n",
             s.kernels, s.blocks, s.warp_instructions, s.thread_instructions, s.kernel_seconds);
  return {};
}

int fail(const Status& status) {
  fmt::print(stderr, "castor: {}\n", status.message());
  return 1;
}

}  // namespace castor::cli
