// Every file of cases/ is compiled, looked at and run as its head says.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>

#include "compiler/driver/driver.h"
#include "compiler/driver/process.h"
#include "tests/compiler/execute.h"
#include "tests/support/catch.h"

namespace castor::compiler::test {
namespace {

std::vector<std::string> case_paths() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CASTOR_CASES))
    if (entry.path().extension() == ".cu") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<Bytes> compile_case(const CaseFile& file) {
  std::vector<std::string> arguments = file.options;
  arguments.push_back("-cubin");
  arguments.push_back(file.path);
  const auto options = parse_options(arguments);
  if (!options) return options.status();
  return compile_device(*options, file.path);
}

void check_structure(const ModuleView& view) {
  CHECK(view.position_independent);
  CHECK(view.undefined.empty());
  CHECK(view.other_relocations.empty());
  for (const auto& [name, desc] : view.kernels) {
    CAPTURE(name);
    CHECK(desc.magic == CASTOR_KERNEL_MAGIC);
    CHECK(view.params.contains(name));
    CHECK(desc.shared_static <= view.tls_bytes);
    REQUIRE(view.symbols.contains(name));
    CHECK(view.symbols.at(name + CASTOR_KERNEL_SUFFIX) % 64 == 0);
    CHECK(view.symbols.at(name) ==
          view.symbols.at(name + CASTOR_KERNEL_SUFFIX) + static_cast<std::uint64_t>(desc.entry));
  }
}

std::uint64_t field(const castor_kernel_desc& desc, const std::string& name) {
  if (name == "flags") return desc.flags;
  if (name == "param_bytes") return desc.param_bytes;
  if (name == "shared_static") return desc.shared_static;
  if (name == "local_bytes") return desc.local_bytes;
  if (name == "max_threads") return desc.max_threads;
  if (name == "min_blocks") return desc.min_blocks;
  if (name == "const_bytes") return desc.const_bytes;
  if (name == "ptx_version") return desc.ptx_version;
  FAIL("no descriptor field " << name);
  return 0;
}

void check_descriptor(const ModuleView& view, const NamedText& expected) {
  const auto kernel = view.find_kernel(expected.name);
  REQUIRE(!kernel.empty());
  std::istringstream stream(expected.text);
  for (std::string item; stream >> item;) {
    const auto equals = item.find('=');
    CAPTURE(expected.name, item);
    CHECK(field(view.kernels.at(kernel), item.substr(0, equals)) ==
          std::strtoull(item.c_str() + equals + 1, nullptr, 0));
  }
}

void check_params(const ModuleView& view, const NamedText& expected) {
  const auto kernel = view.find_kernel(expected.name);
  REQUIRE(!kernel.empty());
  std::string text;
  for (const auto& param : view.params.at(kernel)) {
    text += (text.empty() ? "" : " ") + std::to_string(param.offset) + ":" + std::to_string(param.size) + ":" +
            std::to_string(param.align);
  }
  CHECK(text == expected.text);
}

std::string disassembly(const Bytes& module) {
  auto file = MemoryFile::create("module", module);
  REQUIRE(file.ok());
  auto outcome = run_process({"llvm-objdump-19", "-d", "-r", "--mattr=+experimental-zacas,+zfa,+zfh", file->path()});
  REQUIRE(outcome.ok());
  return std::string(outcome->out.begin(), outcome->out.end());
}

void check_text(const Bytes& module, const std::vector<NamedText>& checks) {
  const std::string text = disassembly(module);
  auto from = text.begin();
  for (const auto& check : checks) {
    CAPTURE(check.name, check.text);
    const std::regex pattern(check.text);
    std::smatch match;
    if (check.name == "check-not") {
      CHECK_FALSE(std::regex_search(text, pattern));
    } else if (std::regex_search(from, text.end(), match, pattern)) {
      from = match[0].second;
    } else {
      FAIL_CHECK("not found in\n" << std::string(from, text.end()));
    }
  }
}

bool near(double a, double b, bool single) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  const double unit = std::max(std::fabs(a), std::fabs(b)) * (single ? 0x1p-23 : 0x1p-52);
  return std::fabs(a - b) <= 2 * unit;
}

std::string element(const Values& values, const std::uint8_t* from) {
  std::ostringstream text;
  if (values.type == "f32") {
    float value;
    std::memcpy(&value, from, sizeof value);
    text << value;
  } else if (values.type == "f64") {
    double value;
    std::memcpy(&value, from, sizeof value);
    text << value;
  } else {
    std::int64_t value = 0;
    std::memcpy(&value, from, values.element_bytes());
    if (values.type == "i32") value = static_cast<std::int32_t>(value);
    text << value;
  }
  return text.str();
}

bool equal(const Values& values, const std::uint8_t* actual, const std::uint8_t* expected) {
  if (values.type == "f32") {
    float a, b;
    std::memcpy(&a, actual, sizeof a);
    std::memcpy(&b, expected, sizeof b);
    return near(a, b, true);
  }
  if (values.type == "f64") {
    double a, b;
    std::memcpy(&a, actual, sizeof a);
    std::memcpy(&b, expected, sizeof b);
    return near(a, b, false);
  }
  return std::memcmp(actual, expected, values.element_bytes()) == 0;
}

void check_buffer(const Execution& execution, const Buffer& expected) {
  REQUIRE(execution.buffers.contains(expected.name));
  const auto& actual = execution.buffers.at(expected.name);
  const auto bytes = expected.values.bytes();
  const auto size = expected.values.element_bytes();
  REQUIRE(actual.size() >= bytes.size());
  for (std::size_t i = 0; i * size < bytes.size(); ++i) {
    if (equal(expected.values, actual.data() + i * size, bytes.data() + i * size)) continue;
    FAIL_CHECK(expected.name << "[" << i << "] is " << element(expected.values, actual.data() + i * size) << ", not "
                             << element(expected.values, bytes.data() + i * size));
  }
}

void check_run(const ModuleView& view, const CaseFile& file) {
  if (file.launches.empty()) return;
  const auto execution = execute(view, file);
  CAPTURE(execution.explanation);
  REQUIRE(execution.problem == "");
  CHECK(execution.fault.value_or("none") == file.fault.value_or("none"));
  if (file.simd_percent) CHECK(execution.simd_percent >= *file.simd_percent);
  for (const auto& expected : file.expected) check_buffer(execution, expected);
}

void check_case(const CaseFile& file) {
  REQUIRE(file.mistakes == std::vector<std::string>{});
  const auto module = compile_case(file);
  for (const auto& error : file.errors) {
    REQUIRE_FALSE(module.ok());
    CHECK_THAT(module.status().message(), Catch::Contains(error));
  }
  if (!file.errors.empty()) return;
  REQUIRE(module.status().message() == "");
  REQUIRE(module.ok());
  ModuleView view;
  REQUIRE(read_module(*module, view) == "");
  check_structure(view);
  for (const auto& descriptor : file.descriptors) check_descriptor(view, descriptor);
  for (const auto& params : file.params) check_params(view, params);
  if (!file.checks.empty()) check_text(*module, file.checks);
  check_run(view, file);
}

TEST_CASE("cases") {
  for (const auto& path : case_paths()) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
      check_case(read_case(path));
    }
}

}  // namespace
}  // namespace castor::compiler::test
