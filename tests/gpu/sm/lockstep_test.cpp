// Engines in lock step: the SM's interpreter gives the bits that the scalar hart gives (which is held against qemu and host
// definitions in tests/gpu/hart), instruction by instruction, a row of operands for each thread.
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/isa/assembler.h"
#include "gpu/sm/sm.h"
#include "tests/gpu/hart/instruction_cases.h"
#include "tests/gpu/hart/random_program.h"
#include "tests/gpu/sm/flat_memory.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::sm;
using namespace castor::hart::testing;
using castor::sm::test::FlatMemory;
namespace fp = castor::semantics::fp;

namespace {

constexpr std::uint64_t kCode = 0x1000'0000, kTable = 0x2000'0000, kResults = 0x3000'0000, kScratch = 0x4000'0000,
                        kParams = 0x5000'0000;
constexpr unsigned kBlock = 256;

/// Whether fflags are looked at: without, the interpreter may use its fast kind of arithmetic.
enum class Flags { watched, ignored };

/// A kernel: thread i runs the body with row i of the table at params[0], params[1] rows in all.
std::vector<std::uint32_t> kernel(const GuestProgram::Case& test, Flags flags) {
  std::vector<std::string> lines = {
      "ld s2, 0(a0)",      "ld t1, 8(a0)",   "csrrs t0, tid.x, zero", "csrrs t2, ctaid.x, zero",
      "slli t2, t2, 8",    "add t0, t0, t2", "bltu t0, t1, 8",        "castor.exit",
      "sh1add t1, t0, t0", "slli t1, t1, 3", "add s0, s2, t1",  // 24 bytes a row
      "lui s1, 0x30000",   "slli t1, t0, 4", "add s1, s1, t1",  // 16 bytes an outcome
      "lui s3, 0x40000",   "slli t1, t0, 6", "add s3, s3, t1",        "addi s4, zero, 1"};
  for (int i = 1; i <= 3; ++i) {
    lines.push_back(fmt::format("ld a{}, {}(s0)", i, 8 * (i - 1)));
    lines.push_back(fmt::format("fmv.d.x fa{}, a{}", i, i));
  }
  lines.push_back("addi a0, a1, 0");
  if (flags == Flags::watched) lines.push_back("csrrwi zero, fflags, 0");
  lines.insert(lines.end(), test.body.begin(), test.body.end());
  if (flags == Flags::watched) {
    lines.push_back("csrrs t0, fflags, zero");
    lines.push_back("sd t0, 8(s1)");
  }
  lines.push_back(fmt::format("{} {}, 0(s1)", test.result.starts_with('f') ? "fsd" : "sd", test.result));
  lines.push_back("castor.exit");
  std::vector<std::uint32_t> words;
  for (const std::string& line : lines) {
    const auto word = isa::assemble(line);
    INFO(line);
    REQUIRE(word.ok());
    words.push_back(word.value());
  }
  return words;
}

/// Runs one case and appends its outcomes.
void run_case(const GuestProgram& program, const GuestProgram::Case& test, Flags flags, CpuLevel cpu,
              std::vector<Outcome>& outcomes) {
  const Operands& table = program.table(test.table);
  const auto words = kernel(test, flags);
  FlatMemory memory;
  std::memcpy(memory.map(kCode, words.size() * 4, "rx"), words.data(), words.size() * 4);
  std::memcpy(memory.map(kTable, table.size() * sizeof(Triple), "r"), table.data(), table.size() * sizeof(Triple));
  const std::byte* results = memory.map(kResults, table.size() * sizeof(Outcome), "rw");
  memory.map(kScratch, table.size() * 64, "rwa");
  memory.map(kParams, 4096, "r");
  memory.put<std::uint64_t>(kParams, kTable);
  memory.put<std::uint64_t>(kParams + 8, table.size());
  SmSpec spec;
  spec.cpu = cpu;
  Sm sm(spec);
  CtaLaunch cta;
  cta.context = 1;
  cta.memory = &memory;
  cta.grid.x = static_cast<std::uint32_t>((table.size() + kBlock - 1) / kBlock);
  cta.block.x = kBlock;
  cta.entry = VirtAddr{kCode};
  cta.params = VirtAddr{kParams};
  std::size_t finished = 0;
  while (finished < cta.grid.x) {
    for (; cta.index.x < cta.grid.x && sm.can_accept(cta); ++cta.index.x) REQUIRE(sm.launch(cta).ok());
    const RunReport report = sm.run(1'000'000);
    INFO(fmt::format("{}", fmt::join(test.body, "; ")));
    REQUIRE_FALSE(report.fault.has_value());
    finished += report.finished.size();
    REQUIRE((finished == cta.grid.x || !report.idle));
  }
  const auto* first = reinterpret_cast<const Outcome*>(results);
  outcomes.insert(outcomes.end(), first, first + table.size());
}

void require_same(const GuestProgram& program, Flags flags, CpuLevel cpu = CpuLevel::best) {
  auto expected = program.run_on_hart();
  REQUIRE(expected.size() == program.outcomes());
  if (flags == Flags::ignored) {
    for (Outcome& outcome : expected) outcome.flags = 0;
  }
  std::vector<Outcome> ours;
  for (const GuestProgram::Case& test : program.cases()) run_case(program, test, flags, cpu, ours);
  REQUIRE(ours.size() == expected.size());
  const auto difference = program.compare(ours, expected);
  INFO(difference.text);
  CHECK(difference.count == 0);
}

void add_all_floats(GuestProgram& program, Modes modes) {
  add_format_cases<fp::Half>(program, modes, true);
  add_format_cases<fp::Single>(program, modes, true);
  add_format_cases<fp::Double>(program, modes, true);
  add_conversion_cases(program, modes, true);
}

}  // namespace

TEST_CASE("the SM computes integers as the hart does") {
  GuestProgram program;
  add_integer_cases(program, {"rv64i_zifencei", "m", "zba", "zbb", "zbs", "zicond"});
  require_same(program, Flags::ignored);
}

TEST_CASE("the SM branches, loads, stores and exchanges as the hart does") {
  GuestProgram program;
  add_branch_cases(program);
  add_memory_cases(program);
  add_atomic_cases(program);
  require_same(program, Flags::ignored);
}

TEST_CASE("the SM computes floats as the hart does, all rounding modes and flags") {
  GuestProgram program;
  add_all_floats(program, Modes::all);
  add_float_csr_cases(program);
  require_same(program, Flags::watched);
}

TEST_CASE("the SM computes floats as the hart does where nobody looks at the flags") {
  for (CpuLevel cpu : {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4}) {
    if (!cpu_supports(cpu)) continue;
    GuestProgram program;
    add_all_floats(program, Modes::nearest);
    require_same(program, Flags::ignored, cpu);
  }
}

TEST_CASE("random programs end on the SM with the registers and flags that the hart has") {
  for (Flags flags : {Flags::watched, Flags::ignored}) {
    RandomProgram random(7);
    GuestProgram program;
    Operands operands = integer_operands();
    operands.resize(64);
    const auto table = program.add_table(operands);
    for (int i = 0; i < 300; ++i) program.add_case(table, "a0", random(60));
    require_same(program, flags);
  }
}
