#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "compiler/driver/driver.h"
#include "compiler/driver/help.h"

namespace castor::compiler {
namespace {

enum class Argument : std::uint8_t { none, value, glued };

enum class Action : std::uint8_t {
  ignore,
  output,
  compile_only,
  preprocess,
  device_elf,
  fatbin,
  shared,
  optimize,
  debug,
  device_debug,
  line_info,
  include_path,
  system_include,
  pre_include,
  define,
  undefine,
  library_path,
  library,
  standard,
  arch,
  code,
  gencode,
  host_flags,
  linker_flags,
  language,
  verbose,
  keep,
  no_warnings,
  warnings_are_errors,
  fast_math,
  ftz,
  prec_div,
  prec_sqrt,
  fmad,
  rdc,
  device_c,
  ptx,
  lib,
  default_stream,
  dependencies,
  dependencies_user,
  dependency_file,
  dependency_target,
  dependency_phony,
  help,
  version,
};

struct OptionDef {
  std::string_view brief, full;
  Argument argument;
  Action action;
  std::string_view help;
};

constexpr OptionDef kOptions[] = {
#define OPTION(brief, full, argument, action, help) {brief, full, Argument::argument, Action::action, help},
#include "compiler/driver/options.inc"
#undef OPTION
};

Status invalid(std::string text) { return {StatusCode::invalid_value, std::move(text)}; }

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// "sm_90a", "compute_80", "native": 10 * major + minor.
Result<unsigned> parse_arch(std::string_view text) {
  if (text == "native" || text == "all" || text == "all-major") return 120u;
  std::string_view digits = text;
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"})
    if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
  while (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.size() == text.size() || error != std::errc() || end != digits.data() + digits.size() || number < 30 ||
      number > 121)
    return invalid(fmt::format("'{}' is no GPU architecture; write sm_50 to sm_121", text));
  return number;
}

/// "arch=compute_80,code=[sm_80,compute_80]"
Result<unsigned> parse_gencode(std::string_view text) {
  const auto first = split(text, ',');
  for (const auto& part : first)
    if (part.starts_with("arch=")) return parse_arch(std::string_view(part).substr(5));
  return invalid(fmt::format("'{}' does not say arch=", text));
}

Result<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return invalid(fmt::format("'{}' is neither true nor false", text));
}

template <class T>
Status assign(T& field, Result<T> value) {
  if (!value) return value.status();
  field = *value;
  return {};
}

Status set_optimize(Options& options, std::string_view level) {
  if (level.empty()) level = "2";
  if (level.size() != 1 || level[0] < '0' || level[0] > '3')
    return invalid(fmt::format("'-O{}': the level is 0 to 3", level));
  options.host_opt = static_cast<unsigned>(level[0] - '0');
  return {};
}

/// The lowest architecture given would run everywhere; the highest is what the device is closest to.
Status raise_arch(Options& options, Result<unsigned> arch, bool& given) {
  if (!arch) return arch.status();
  options.arch = given ? std::max(options.arch, *arch) : *arch;
  given = true;
  return {};
}

void append(std::vector<std::string>& list, std::initializer_list<std::string> items) {
  list.insert(list.end(), items);
}

class Parser {
 public:
  Result<Options> parse(std::span<const std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (auto status = take(arguments, i); !status) return status;
    }
    if (options_.inputs.empty() && options_.show == Show::nothing) return invalid("no input files");
    if (!options_.output.empty() && options_.stage != Stage::link && options_.inputs.size() > 1)
      return invalid("-o with -c takes one input file");
    return options_;
  }

 private:
  struct Match {
    const OptionDef* option = nullptr;
    std::optional<std::string> value;
  };

  Status take(std::span<const std::string> arguments, std::size_t& i) {
    const std::string_view text = arguments[i];
    if (text.size() < 2 || text[0] != '-') {
      options_.inputs.push_back(arguments[i]);
      return {};
    }
    if (text.starts_with("-W") && !text.starts_with("-Werror")) {
      options_.host_flags.push_back(arguments[i]);
      return {};
    }
    Match match = find(text);
    if (match.option == nullptr) return invalid(fmt::format("unknown option '{}'", text));
    if (match.option->argument != Argument::none && !match.value) {
      // "-O" alone is a level, all others need a word.
      if (match.option->action == Action::optimize) {
        match.value = "";
      } else if (i + 1 == arguments.size()) {
        return invalid(fmt::format("option '{}' needs an argument", text));
      } else {
        match.value = arguments[++i];
      }
    }
    return apply(match.option->action, match.value.value_or(""), text);
  }

  static Match find(std::string_view text) {
    const std::string_view bare = text.substr(text.starts_with("--") ? 2 : 1);
    const auto equals = bare.find('=');
    const std::string_view name = bare.substr(0, equals);
    Match best;
    for (const auto& option : kOptions) {
      if (name == option.brief || name == option.full) {
        if (equals != std::string_view::npos && option.argument == Argument::none) continue;
        if (equals == std::string_view::npos) return {&option, std::nullopt};
        return {&option, std::string(bare.substr(equals + 1))};
      }
    }
    for (const auto& option : kOptions) {
      const bool glued =
          option.argument == Argument::glued && !text.starts_with("--") && bare.starts_with(option.brief);
      if (glued) best = {&option, std::string(bare.substr(option.brief.size()))};
    }
    return best;
  }

  Status apply(Action action, const std::string& value, std::string_view written) {
    auto& o = options_;
    switch (action) {
      case Action::ignore: return {};
      case Action::output: o.output = value; return {};
      case Action::compile_only: o.stage = Stage::object; return {};
      case Action::preprocess: o.stage = Stage::preprocess; return {};
      case Action::device_elf: o.stage = Stage::device_elf; return {};
      case Action::fatbin: o.stage = Stage::fatbin; return {};
      case Action::shared: o.shared = true; return {};
      case Action::optimize: return set_optimize(o, value);
      case Action::debug:
        o.host_debug = DebugInfo::full;
        // More than nvcc does: lines cost nothing at run time here, and a fault can then name its source line.
        o.device_debug = std::max(o.device_debug, DebugInfo::lines);
        return {};
      case Action::device_debug:
        o.device_debug = DebugInfo::full;
        o.device_opt = 0;
        return {};
      case Action::line_info: o.device_debug = std::max(o.device_debug, DebugInfo::lines); return {};
      case Action::include_path: append_each(o.preprocessor, "-I", value); return {};
      case Action::system_include: append_each(o.preprocessor, "-isystem", value); return {};
      case Action::pre_include: append(o.preprocessor, {"-include", value}); return {};
      case Action::define: o.preprocessor.push_back("-D" + value); return {};
      case Action::undefine: o.preprocessor.push_back("-U" + value); return {};
      case Action::library_path: o.link_flags.push_back("-L" + value); return {};
      case Action::library: o.link_flags.push_back("-l" + value); return {};
      case Action::standard: o.language_standard = value; return {};
      case Action::arch: return raise_arch(o, parse_arch(value), arch_given_);
      case Action::gencode: return raise_arch(o, parse_gencode(value), arch_given_);
      case Action::code: return {};
      case Action::host_flags:
        for (auto& flag : split(value, ',')) o.host_flags.push_back(flag);
        return {};
      case Action::linker_flags:
        for (auto& flag : split(value, ',')) o.link_flags.push_back("-Wl," + flag);
        return {};
      case Action::language: return set_language(value);
      case Action::verbose: o.verbose = true; return {};
      case Action::keep: o.keep = true; return {};
      case Action::no_warnings: o.no_warnings = true; return {};
      case Action::warnings_are_errors: o.warnings_are_errors = value == "all-warnings"; return {};
      case Action::fast_math:
        o.fast_math = o.ftz = true;
        o.prec_div = o.prec_sqrt = false;
        return {};
      case Action::ftz: return assign(o.ftz, parse_bool(value));
      case Action::prec_div: return assign(o.prec_div, parse_bool(value));
      case Action::prec_sqrt: return assign(o.prec_sqrt, parse_bool(value));
      case Action::fmad: return assign(o.fmad, parse_bool(value));
      case Action::rdc: return value == "true" ? not_built(written) : Status();
      case Action::device_c:
      case Action::ptx:
      case Action::lib: return not_built(fmt::format("option '{}'", written));
      case Action::default_stream:
        if (value == "per-thread") o.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        return {};
      case Action::dependencies: o.dependency_flags.push_back("-MD"); return {};
      case Action::dependencies_user: o.dependency_flags.push_back("-MMD"); return {};
      case Action::dependency_file: append(o.dependency_flags, {"-MF", value}); return {};
      case Action::dependency_target: append(o.dependency_flags, {"-MT", value}); return {};
      case Action::dependency_phony: o.dependency_flags.push_back("-MP"); return {};
      case Action::help: o.show = Show::help; return {};
      case Action::version: o.show = Show::version; return {};
    }
    return invalid(fmt::format("unknown option '{}'", written));
  }

  static void append_each(std::vector<std::string>& list, const char* flag, const std::string& values) {
    for (const auto& value : split(values, ',')) append(list, {flag, value});
  }

  Status set_language(const std::string& value) {
    if (value != "cu" && value != "c++") return invalid(fmt::format("'-x {}': the language is cu or c++", value));
    options_.all_cuda = value == "cu";
    return {};
  }

  Options options_;
  bool arch_given_ = false;
};

}  // namespace

Result<Options> parse_options(std::span<const std::string> arguments) { return Parser().parse(arguments); }

std::string options_help() {
  std::string text = "Usage: castor cc [options] file...\n";
  for (const auto& option : kOptions) {
    const std::string_view value = option.argument == Argument::none ? "" : " <value>";
    text += fmt::format("  -{}{:<{}} --{}\n        {}\n", option.brief, value, 1, option.full, option.help);
  }
  return text;
}

}  // namespace castor::compiler
