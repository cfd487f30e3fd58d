#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "compiler/driver/clang.h"
#include "compiler/driver/diagnostics.h"
#include "compiler/driver/driver.h"
#include "compiler/driver/fatbin.h"
#include "compiler/driver/process.h"
#include "compiler/driver/toolkit.h"
#include "compiler/module/build_module.h"

namespace castor::compiler {
namespace {

namespace fs = std::filesystem;

/// A failure that a tool has already explained on stderr.
Status said_already() { return {StatusCode::invalid_value, ""}; }

void show(const Options& options, const Command& command) {
  if (options.verbose) std::fprintf(stderr, "%s\n", command_text(command).c_str());
}

bool is_cuda(const Options& options, const std::string& input) {
  const auto extension = fs::path(input).extension();
  return extension == ".cu" || (options.all_cuda && (extension == ".cpp" || extension == ".cc" || extension == ".cxx"));
}

bool is_source(const std::string& input) {
  const auto extension = fs::path(input).extension();
  for (const auto* known : {".cu", ".cpp", ".cc", ".cxx", ".c", ".C"})
    if (extension == known) return true;
  return false;
}

/// Names the variables that both halves share; different for two files of one name in different folders.
std::string unit_id(const std::string& source) {
  std::error_code error;
  return fmt::format("{:016x}", std::hash<std::string>()(fs::absolute(source, error).string()));
}

Status write_file(const std::string& path, std::span<const std::uint8_t> content) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  file.close();  // a full disk may show only now
  if (file.good()) return {};
  std::error_code error;
  if (fs::is_regular_file(path, error)) fs::remove(path, error);
  return {StatusCode::io_error, fmt::format("cannot write {}", path)};
}

BuildOptions build_options(const Options& options) {
  BuildOptions build;
  build.arch = options.arch;
  build.optimize = options.device_opt;
  build.debug_info = options.device_debug != DebugInfo::none;
  build.library = toolkit().device_library.string();
  if (const char* pass = std::getenv("CASTOR_DUMP_AFTER")) build.dump_after = pass;
  return build;
}

Result<Bytes> device_module(const Options& options, Process::Outcome front, DiagnosticPrinter& printer) {
  printer.print(front.err);
  if (front.exit_code != 0) return said_already();
  return build_module(front.out, build_options(options));
}

void keep(const Options& options, const std::string& source, const Bytes& module, const Bytes& fatbin) {
  if (!options.keep) return;
  const auto stem = fs::path(source).stem().string();
  for (const auto& [extension, content] : {std::pair(".cubin", &module), std::pair(".fatbin", &fatbin)})
    if (auto status = write_file(stem + extension, *content); !status)
      std::fprintf(stderr, "castor cc: warning: %s\n", status.message().c_str());
}

/// Both halves at once: the host half waits for the fat binary only when it has parsed its source.
Result<Bytes> cuda_object(const Options& options, const std::string& source) {
  const auto id = unit_id(source);
  const auto device = device_command(options, source, id), host = host_command(options, source, id);
  show(options, device);
  show(options, host);
  auto device_front = Process::start(device);
  if (!device_front) return device_front.status();
  auto host_half = Process::start(host, true);
  if (!host_half) return host_half.status();

  DiagnosticPrinter printer;
  auto front = device_front->finish();
  const bool parsed = front.exit_code == 0;
  auto module = device_module(options, std::move(front), printer);
  if (!module && parsed) return module.status();
  const Bytes fatbin = module ? make_fatbin(*module, options.arch) : Bytes();
  auto object = host_half->finish(fatbin);
  // Without a fat binary the host half complains of that too; what it says of the source comes before.
  if (module || object.err.find("/dev/stdin") == std::string::npos) printer.print(object.err);
  if (!module || object.exit_code != 0) return said_already();
  keep(options, source, *module, fatbin);
  return std::move(object.out);
}

Result<Bytes> run_clang(const Options& options, const Command& command) {
  show(options, command);
  auto outcome = run_process(command);
  if (!outcome) return outcome.status();
  DiagnosticPrinter().print(outcome->err);
  if (outcome->exit_code != 0) return said_already();
  return std::move(outcome->out);
}

Result<Bytes> object_of(const Options& options, const std::string& source) {
  return is_cuda(options, source) ? cuda_object(options, source) : run_clang(options, plain_command(options, source));
}

Result<Bytes> product_of(const Options& options, const std::string& source) {
  switch (options.stage) {
    case Stage::preprocess: return run_clang(options, preprocess_command(options, source, is_cuda(options, source)));
    case Stage::device_elf: return compile_device(options, source);
    case Stage::fatbin: {
      auto module = compile_device(options, source);
      if (!module) return module.status();
      return make_fatbin(*module, options.arch);
    }
    case Stage::object:
    case Stage::link: break;
  }
  return object_of(options, source);
}

std::string default_output(const Options& options, const std::string& source) {
  const auto stem = fs::path(source).stem().string();
  switch (options.stage) {
    case Stage::device_elf: return stem + ".cubin";
    case Stage::fatbin: return stem + ".fatbin";
    default: return stem + ".o";
  }
}

Status compile_each(const Options& options) {
  for (const auto& source : options.inputs) {
    auto product = product_of(options, source);
    if (!product) return product.status();
    if (options.stage == Stage::preprocess && options.output.empty()) {
      std::fwrite(product->data(), 1, product->size(), stdout);
      continue;
    }
    const auto output = options.output.empty() ? default_output(options, source) : options.output;
    if (auto status = write_file(output, *product); !status) return status;
  }
  return {};
}

Status compile_and_link(const Options& options) {
  std::vector<MemoryFile> files;
  std::vector<std::string> objects;
  for (const auto& input : options.inputs) {
    if (!is_source(input)) {
      objects.push_back(input);
      continue;
    }
    auto object = object_of(options, input);
    if (!object) return object.status();
    auto file = MemoryFile::create("castor-object.o", *object);
    if (!file) return file.status();
    objects.push_back(file->path());
    files.push_back(std::move(*file));
  }
  const auto command = link_command(options, objects, options.output.empty() ? "a.out" : options.output);
  auto linked = run_clang(options, command);
  return linked ? Status() : linked.status();
}

Status check_inputs(const Options& options) {
  for (const auto& input : options.inputs) {
    std::error_code error;
    if (!fs::exists(input, error)) return {StatusCode::not_found, fmt::format("no such file: '{}'", input)};
    if (options.stage != Stage::link && !is_source(input))
      return {StatusCode::invalid_value, fmt::format("'{}' is no source file", input)};
  }
  return {};
}

}  // namespace

Result<Bytes> compile_device(const Options& options, const std::string& source) {
  const auto command = device_command(options, source, unit_id(source));
  show(options, command);
  auto front = run_process(command);
  if (!front) return front.status();
  DiagnosticPrinter printer;
  return device_module(options, std::move(*front), printer);
}

Status compile(const Options& options) {
  if (auto status = check_inputs(options); !status) return status;
  return options.stage == Stage::link ? compile_and_link(options) : compile_each(options);
}

}  // namespace castor::compiler
