// Every program of programs/, on every level of the host's instruction set that this machine has, with the usual slices and
// with very short ones: the results must not depend on either.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tests/gpu/sm/program.h"
#include "tests/support/catch.h"

namespace castor::sm::test {
namespace {

struct Variant {
  const char* name;
  CpuLevel level;
  unsigned warp_slice, lane_slice;
};
constexpr Variant kVariants[] = {
    {"baseline", CpuLevel::baseline, 4096, 1024},
    {"v3", CpuLevel::v3, 4096, 1024},
    {"v4", CpuLevel::v4, 4096, 1024},
    {"baseline, short slices", CpuLevel::baseline, 5, 3},
    {"v4, short slices", CpuLevel::v4, 7, 2},
};

std::vector<std::string> program_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(CASTOR_SM_PROGRAMS)) {
    if (entry.path().extension() == ".s") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Catch2 runs the test case again for each section; the assembler need not.
const Program& cached_program(const std::string& file) {
  static std::map<std::string, Program> programs;
  const auto found = programs.find(file);
  return found != programs.end() ? found->second : programs.emplace(file, load_program(file)).first->second;
}

void check_output(const Program& p, FlatMemory& memory) {
  for (const Values& v : p.out) {
    const unsigned bytes = element_bytes(v.kind);
    for (std::size_t i = 0; i < v.values.size(); ++i) {
      std::uint64_t got = 0;
      std::memcpy(&got, memory.at(kOut + (v.index + i) * bytes), bytes);
      INFO(p.name << ": out " << v.kind << "[" << v.index + i << "], expected " << v.values[i]);
      REQUIRE(fmt::format("{:#x}", got) == fmt::format("{:#x}", value_bits(v.kind, v.values[i])));
    }
  }
}

std::string fault_field(const Program& p, const SmFault& f, const std::string& key) {
  if (key == "lanes") return fmt::format("{:#x}", f.lanes);
  if (key == "address") return fmt::format("{:#x}", f.fault.address.value);
  if (key == "detail") return fmt::format("{}", f.detail);
  if (key == "warp") return fmt::format("{}", f.warp);
  if (key == "size") return fmt::format("{}", f.fault.size);
  if (key == "access") return std::string(castor::name(f.fault.access));
  if (key == "thread") return fmt::format("{},{},{}", f.thread.x, f.thread.y, f.thread.z);
  if (key == "block") return fmt::format("{},{},{}", f.block.x, f.block.y, f.block.z);
  if (key == "says") {
    std::string said = f.explanation;
    std::replace(said.begin(), said.end(), ' ', '_');
    return said;
  }
  if (key == "pc") {
    for (const auto& [symbol, address] : p.symbols) {
      if (address == f.pc.value) return symbol;
    }
    return fmt::format("{:#x}", f.pc.value);
  }
  return "?";
}

FaultCause cause_named(const std::string& text) {
  static constexpr std::pair<std::string_view, FaultCause> kCauses[] = {
      {"illegal_instruction", FaultCause::illegal_instruction},
      {"illegal_address", FaultCause::illegal_address},
      {"permission", FaultCause::permission},
      {"misaligned_address", FaultCause::misaligned_address},
      {"invalid_address_space", FaultCause::invalid_address_space},
      {"out_of_range_shared", FaultCause::out_of_range_shared},
      {"out_of_range_local", FaultCause::out_of_range_local},
      {"stack_overflow", FaultCause::stack_overflow},
      {"invalid_pc", FaultCause::invalid_pc},
      {"trap", FaultCause::trap},
      {"breakpoint", FaultCause::breakpoint},
      {"barrier_deadlock", FaultCause::barrier_deadlock}};
  for (const auto& [name, cause] : kCauses) {
    if (name == text) return cause;
  }
  FAIL("unknown fault " << text);
  return FaultCause::none;
}

void check_fault(const Program& p, const Outcome& outcome) {
  REQUIRE(outcome.faults.size() == p.faults.size());
  for (std::size_t i = 0; i < p.faults.size(); ++i) {
    const ExpectedFault& expected = p.faults[i];
    REQUIRE(castor::name(outcome.faults[i].fault.cause) == castor::name(cause_named(expected.cause)));
    for (const auto& [key, value] : expected.keys) {
      INFO(p.name << ": fault " << key);
      REQUIRE(fault_field(p, outcome.faults[i], key) == value);
    }
  }
}

TEST_CASE("sm: programs give the expected output or fault", "[sm]") {
  const auto files = program_files();
  REQUIRE(files.size() > 10);
  for (const std::string& file : files) {
    const Program& p = cached_program(file);
    for (const Variant& variant : kVariants) {
      if (!cpu_supports(variant.level)) continue;
      if (p.default_schedule_only && variant.lane_slice != 1024) continue;
      DYNAMIC_SECTION(p.name << " on " << variant.name) {
        SmSpec spec;
        spec.cpu = variant.level;
        spec.warp_slice = variant.warp_slice;
        spec.lane_slice = variant.lane_slice;
        FlatMemory memory;
        prepare(p, memory);
        Sm sm(spec);
        const Outcome outcome = run_grid(sm, p, memory);
        REQUIRE_FALSE(outcome.stuck);
        check_fault(p, outcome);
        check_output(p, memory);
      }
    }
  }
}

}  // namespace
}  // namespace castor::sm::test
