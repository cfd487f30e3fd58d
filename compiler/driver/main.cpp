// The command line: what `castor cc` and the nvcc wrapper end in.
#include <cstdio>

#include "compiler/driver/driver.h"
#include "compiler/driver/help.h"

namespace castor::compiler {
namespace {

int fail(const Status& status) {
  // Messages about the source begin with its place and stand as they are, as the front end's do.
  const bool placed = status.message().find("error: ") != std::string::npos;
  if (!status.message().empty())
    std::fprintf(stderr, "%s%s\n", placed ? "" : "castor cc: error: ", status.message().c_str());
  return 1;
}

int show(Show what) {
  if (what == Show::help) {
    std::fputs(options_help().c_str(), stdout);
  } else {
    // The last line is what build systems read nvcc's version from.
    std::puts("castor cc: CUDA compiler of Castor (clang 19)\nCuda compilation tools, release 12.8, V12.8.0");
  }
  return 0;
}

}  // namespace

int cc_main(std::span<const std::string> arguments) {
  const auto options = parse_options(arguments);
  if (!options) return fail(options.status());
  if (options->show != Show::nothing) return show(options->show);
  const auto status = compile(*options);
  return status ? 0 : fail(status);
}

}  // namespace castor::compiler

extern "C" __attribute__((visibility("default"))) int castor_cc_main(int argc, const char* const* argv) {
  return castor::compiler::cc_main(std::vector<std::string>(argv, argv + argc));
}
