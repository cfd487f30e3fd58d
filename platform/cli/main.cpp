// The command `castor`.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "compiler/driver/loader.h"
#include "platform/cli/commands.h"

namespace {

using namespace castor;

constexpr int kUsage = 2;  // exit code of a wrong command line

void set_log_level(const std::string& level) { spdlog::set_level(spdlog::level::from_str(level)); }

void set_up_log() {
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("castor", std::make_shared<spdlog::sinks::stderr_sink_mt>()));
  spdlog::set_pattern("castor: %v");
  set_log_level("warning");
}

void add_log_option(CLI::App& command) {
  command.add_option_function<std::string>("--log", set_log_level, "What to tell on stderr (default: warning)")
      ->envname("CASTOR_LOG")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "warn", "error", "critical", "off"}));
}

/// All commands hang on this; what the chosen one is to do is left in `action`.
class CommandLine {
 public:
  CommandLine() {
    app.require_subcommand(1);
    app.set_version_flag("--version", "castor " CASTOR_VERSION);
    add_run();
    add_serve();
    add_info();
    app.add_subcommand("cc", "Compile CUDA C++ (castor cc --help tells how)");
    app.add_subcommand("version", "Print the version")->callback([] { fmt::print("castor {}\n", CASTOR_VERSION); });
  }

  bool has_command(const std::string& name) {
    return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
  }

  CLI::App app{"Castor: a CUDA-compatible GPU, emulated as a whole machine"};
  std::function<int()> action = [] { return 0; };

 private:
  void add_run() {
    auto* run = app.add_subcommand("run", "Run a program on a machine of its own");
    run->footer(
        "castor run [OPTIONS] PROGRAM [ARGUMENTS…]: options of castor stand before the program.\n"
        "PROGRAM may be a .cu file, which is compiled first.");
    cli::add_machine_options(*run, machine_);
    add_log_option(*run);
    run->add_flag("--stats{-}", machine_.stats, "Tell at the end what the GPU has executed; --stats=FILE: as JSON");
    run->prefix_command();
    run->callback([this, run] {
      auto rest = run->remaining();
      if (!rest.empty() && rest[0] == "--") rest.erase(rest.begin());
      if (rest.empty()) throw CLI::ValidationError("run what? Give a program or a .cu file");
      if (rest[0].starts_with("-")) throw CLI::ValidationError(fmt::format("run has no option '{}'", rest[0]));
      action = [this, rest] { return cli::run(machine_, rest); };
    });
  }

  void add_serve() {
    auto* serve = app.add_subcommand("serve", "Keep one machine for many programs");
    cli::add_machine_options(*serve, machine_);
    add_log_option(*serve);
    auto* socket = serve->add_option("--socket", serve_.socket, "Path of the socket to listen at");
    serve->add_option("--fd", serve_.fd, "Serve the peer of this open socket and end with it")
        ->excludes(socket)
        ->check(CLI::NonNegativeNumber);
    serve->callback([this] { action = [this] { return cli::serve(machine_, serve_); }; });
  }

  void add_info() {
    auto* info = app.add_subcommand("info", "Draw a machine");
    cli::add_config_option(*info, machine_);
    info->callback([this] { action = [this] { return cli::info(machine_); }; });
  }

  cli::MachineArguments machine_;
  cli::ServeArguments serve_;
};

int usage_error(const std::string& text) {
  fmt::print(stderr, "castor: {}\nTry 'castor --help'.\n", text);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  // The compiler has a command line of its own.
  if (argc > 1 && std::string_view(argv[1]) == "cc")
    return castor::compiler::run_cc(std::vector<std::string>(argv + 2, argv + argc));
  set_up_log();
  CommandLine line;
  if (argc > 1 && argv[1][0] != '-' && !line.has_command(argv[1]))
    return usage_error(fmt::format("no command '{}'; there are run, serve, info, cc and version", argv[1]));
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help
    return line.app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  return line.action();
}
