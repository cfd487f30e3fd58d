// Raw speed of the interpreter in thread-instructions per second, on one host thread: loops that stay in registers, that
// load, that diverge. The rates of real kernels are measured by `./x bench`.
#include <benchmark/benchmark.h>

#include <string>

#include "tests/gpu/sm/program.h"

namespace castor::sm::test {
namespace {

constexpr const char* kStart =
    "csrr t0, tid.x\n ld a2, 8(a0)\n sh2add a2, t0, a2\n li a1, 2000\n li s1, 0x1fffffffff\n fcvt.s.w ft0, t0\n fmv.s ft1, ft0\nloop:\n";
constexpr const char* kEnd = " addi a1, a1, -1\n bnez a1, loop\n ret\n";

constexpr const char* kInteger = R"(
  add t1, t0, a1
  xor t2, t1, t0
  slli t3, t2, 3
  addw t4, t3, t1
  sltu t5, t4, t2
  and t6, t5, t3
  or t1, t6, t2
  sub t2, t1, t5
)";
constexpr const char* kFma = R"(
  fmadd.s ft2, ft0, ft1, ft0
  fmadd.s ft3, ft0, ft1, ft2
  fmadd.s ft4, ft2, ft1, ft3
  fmadd.s ft5, ft3, ft1, ft4
  fadd.s ft6, ft4, ft5
  fmul.s ft7, ft6, ft0
)";
constexpr const char* kDouble = R"(
  fmadd.d ft2, ft8, ft9, ft8
  fmadd.d ft3, ft8, ft9, ft2
  fadd.d ft6, ft4, ft5
)";
constexpr const char* kLoads = R"(
  lw t1, 0(a2)
  lw t2, 128(a2)
  flw ft2, 256(a2)
  add t1, t1, t2
  sw t1, 384(a2)
  lw t3, 0(a3)
)";
constexpr const char* kStack = R"(
  sd t1, -8(sp)
  sw t2, -16(sp)
  ld t3, -8(sp)
  lw t4, -16(sp)
)";
constexpr const char* kBarrier = R"(
  castor.bar.sync x0
  add t3, t3, t0
)";
constexpr const char* kShuffle = R"(
  castor.shfl.bfly t3, t0, t5, s1
  add t3, t3, t0
)";
constexpr const char* kDivergent = R"(
  xor t1, t0, a1
  andi t2, t1, 1
  beqz t2, even
  add t3, t3, t1
  slli t3, t3, 1
  xor t3, t3, t0
  j join
even:
  sub t3, t3, t1
  srli t3, t3, 1
  or t3, t3, t0
join:
  add t4, t4, t3
)";

void interpret(benchmark::State& state, const char* body, CpuLevel level) {
  if (!cpu_supports(level)) return state.SkipWithError("not on this processor");
  Program p;
  p.launch.block = {256, 1, 1};
  p.launch.grid = {4, 1, 1};
  p.launch.local_bytes = 1024;
  p.code = assemble_text(std::string("mv a4, a0\n ld a3, 8(a0)\n") + kStart + body + kEnd, p.symbols);
  FlatMemory memory;
  prepare(p, memory);
  SmSpec spec;
  spec.cpu = level;
  Sm sm(spec);
  for (auto _ : state) run_grid(sm, p, memory);
  const SmStats& stats = sm.stats();
  state.counters["thread_instructions"] =
      benchmark::Counter(static_cast<double>(stats.thread_instructions), benchmark::Counter::kIsRate);
  state.counters["lanes"] = static_cast<double>(stats.thread_instructions) / static_cast<double>(stats.issued);
}

/// A grid of many CTAs with a handful of instructions each: what starting warps costs.
void start_warps(benchmark::State& state, CpuLevel level) {
  if (!cpu_supports(level)) return state.SkipWithError("not on this processor");
  Program p;
  p.launch.block = {256, 1, 1};
  p.launch.grid = {1000, 1, 1};
  p.launch.local_bytes = 1024;
  p.code = assemble_text(
      "csrr t0, tid.x\n csrr t1, ctaid.x\n slli t1, t1, 8\n add t0, t0, t1\n slli t0, t0, 50\n srli t0, t0, 48\n"
      "ld a2, 0(a0)\n ld a3, 8(a0)\n add a2, a2, t0\n add a3, a3, t0\n flw ft0, 0(a2)\n flw ft1, 0(a3)\n"
      "fadd.s ft0, ft0, ft1\n fsw ft0, 0(a2)\n ret\n",
      p.symbols);
  FlatMemory memory;
  prepare(p, memory);
  SmSpec spec;
  spec.cpu = level;
  Sm sm(spec);
  for (auto _ : state) run_grid(sm, p, memory);
  state.counters["thread_instructions"] =
      benchmark::Counter(static_cast<double>(sm.stats().thread_instructions), benchmark::Counter::kIsRate);
  state.counters["warps"] = benchmark::Counter(8.0 * static_cast<double>(sm.stats().ctas), benchmark::Counter::kIsRate);
}

#define LEVELS(name, body)                                                 \
  BENCHMARK_CAPTURE(interpret, name##_baseline, body, CpuLevel::baseline); \
  BENCHMARK_CAPTURE(interpret, name##_v3, body, CpuLevel::v3);             \
  BENCHMARK_CAPTURE(interpret, name##_v4, body, CpuLevel::v4);
LEVELS(integer, kInteger)
LEVELS(fma, kFma)
LEVELS(double_fma, kDouble)
LEVELS(loads, kLoads)
LEVELS(stack, kStack)
LEVELS(divergent, kDivergent)
LEVELS(barrier, kBarrier)
LEVELS(shuffle, kShuffle)
BENCHMARK_CAPTURE(start_warps, baseline, CpuLevel::baseline);
BENCHMARK_CAPTURE(start_warps, v4, CpuLevel::v4);

}  // namespace
}  // namespace castor::sm::test

BENCHMARK_MAIN();
