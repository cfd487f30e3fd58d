// The approximate functions: the stated bounds against the host's double-precision library, special values, and the same
// bits from every level of the host's instruction set.
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "tests/gpu/sm/program.h"
#include "tests/support/catch.h"

namespace castor::sm::test {
namespace {

constexpr unsigned kThreads = 256, kCtas = 512, kCount = kThreads * kCtas;

/// The function applied to all inputs.
std::vector<float> evaluate(const std::string& function, const std::vector<float>& in, CpuLevel level) {
  Program p;
  p.launch.block = {kThreads, 1, 1};
  p.launch.grid = {kCtas, 1, 1};
  p.code = assemble_text(
      "csrr t0, tid.x\n csrr t1, ctaid.x\n slli t1, t1, 8\n add t0, t0, t1\n ld a2, 0(a0)\n ld a3, 8(a0)\n"
      "sh2add a2, t0, a2\n sh2add a3, t0, a3\n flw fa0, 0(a3)\n castor." +
          function + ".s fa1, fa0\n fsw fa1, 0(a2)\n ret\n",
      p.symbols);
  constexpr std::uint64_t kFrom = 0x10000000, kTo = 0x20000000;
  FlatMemory memory;
  std::memcpy(memory.map(kCode, p.code.size(), "rx"), p.code.data(), p.code.size());
  std::memcpy(memory.map(kFrom, kCount * 4, "r"), in.data(), kCount * 4);
  memory.map(kTo, kCount * 4, "rw");
  memory.map(kParams, 16, "r");
  memory.put<std::uint64_t>(kParams, kTo);
  memory.put<std::uint64_t>(kParams + 8, kFrom);
  SmSpec spec;
  spec.cpu = level;
  Sm sm(spec);
  const Outcome outcome = run_grid(sm, p, memory);
  REQUIRE(outcome.faults.empty());
  std::vector<float> out(kCount);
  std::memcpy(out.data(), memory.at(kTo), kCount * 4);
  return out;
}

/// Any bits at all in one half of the inputs, values between the limits in the other.
std::vector<float> inputs(float low, float high) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> between(low, high);
  std::vector<float> in(kCount);
  for (unsigned i = 0; i < kCount; ++i)
    in[i] = i % 2 == 0 ? std::bit_cast<float>(static_cast<std::uint32_t>(random())) : between(random);
  const float special[] = {0.0f,
                           -0.0f,
                           1.0f,
                           -1.0f,
                           2.0f,
                           0.5f,
                           1e-45f,
                           -1e-45f,
                           1.17549435e-38f,
                           3.4028235e38f,
                           -3.4028235e38f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           3.14159274f,
                           -3.14159274f,
                           1.57079637f,
                           127.5f,
                           -126.5f,
                           -149.0f,
                           128.0f};
  std::copy(std::begin(special), std::end(special), in.begin());
  return in;
}

/// Distance in units of the last place of the float nearest to the exact value.
double ulps(float got, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact)) return std::isnan(got) ? 0 : 1e30;
  if (got == rounded) return 0;
  if (std::isinf(rounded) || std::isinf(got)) {  // next to the largest number, one step counts as one
    const double limit = std::numeric_limits<float>::max();
    return std::fabs(std::isinf(got) ? exact : got) >= limit * (1 - 1e-7) && std::signbit(got) == std::signbit(rounded)
               ? 1
               : 1e30;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::fabs(got - exact) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Function {
  const char* name;
  double (*exact)(double);
  float low, high;
  std::function<double(float, float, double)> error;  // of (input, result, exact) in units of the bound
};

const Function kFunctions[] = {
    {"rcp", [](double x) { return 1 / x; }, -100, 100,
     [](float, float got, double exact) { return ulps(got, exact) / 1; }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0, 1000,
     [](float, float got, double exact) { return ulps(got, exact) / 2; }},
    {"sqrt", [](double x) { return std::sqrt(x); }, 0, 1000,
     [](float, float got, double exact) { return ulps(got, exact) / 3; }},
    {"ex2", [](double x) { return std::exp2(x); }, -150, 129,
     [](float, float got, double exact) { return ulps(got, exact) / 2; }},
    {"lg2", [](double x) { return std::log2(x); }, 0.25f, 4,
     [](float x, float got, double exact) {
       return x >= 0.5f && x <= 2 ? std::fabs(got - exact) / std::exp2(-22) : ulps(got, exact) / 2;
     }},
    {"sin", [](double x) { return std::sin(x); }, -3.1415927f, 3.1415927f,
     [](float x, float got, double exact) {
       if (!std::isfinite(x)) return std::isnan(got) ? 0.0 : 1e30;
       return std::fabs(x) <= 3.1415928f   ? std::fabs(got - exact) / std::exp2(-20.5)
              : std::fabs(got) <= 1.000001 ? 0.0
                                           : 1e30;
     }},
    {"cos", [](double x) { return std::cos(x); }, -3.1415927f, 3.1415927f,
     [](float x, float got, double exact) {
       if (!std::isfinite(x)) return std::isnan(got) ? 0.0 : 1e30;
       return std::fabs(x) <= 3.1415928f   ? std::fabs(got - exact) / std::exp2(-20.5)
              : std::fabs(got) <= 1.000001 ? 0.0
                                           : 1e30;
     }},
    {"tanh", [](double x) { return std::tanh(x); }, -5, 5,
     [](float, float got, double exact) {
       if (std::isnan(exact)) return std::isnan(got) ? 0.0 : 1e30;
       return exact == 0 ? std::fabs(got) * 1e30 : std::fabs(got - exact) / std::fabs(exact) / std::exp2(-11);
     }},
    {"sat", [](double x) { return std::isnan(x) ? 0 : std::min(std::max(x, 0.0), 1.0); }, -2, 2,
     [](float, float got, double exact) {
       return got == static_cast<float>(exact) && !std::signbit(got) ? 0.0 : 1e30;
     }},
};

TEST_CASE("sm: approximate functions keep their bounds", "[sm][approx]") {
  for (const Function& f : kFunctions) {
    DYNAMIC_SECTION(f.name) {
      const std::vector<float> in = inputs(f.low, f.high);
      const std::vector<float> out = evaluate(f.name, in, CpuLevel::best);
      double worst = 0;
      float at = 0;
      for (unsigned i = 0; i < kCount; ++i) {
        const double error = f.error(in[i], out[i], f.exact(in[i]));
        if (!(error <= worst)) worst = error, at = in[i];
        if (std::isnan(out[i])) REQUIRE(std::bit_cast<std::uint32_t>(out[i]) == 0x7fc00000u);
      }
      INFO("worst at " << at);
      REQUIRE(worst <= 1.0);
      for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::v3}) {
        if (cpu_supports(level)) REQUIRE(std::memcmp(evaluate(f.name, in, level).data(), out.data(), kCount * 4) == 0);
      }
    }
  }
}

TEST_CASE("sm: approximate functions keep the sign of zero", "[sm][approx]") {
  std::vector<float> in(kCount, -0.0f);
  for (const char* name : {"sqrt", "sin", "tanh"}) REQUIRE(std::signbit(evaluate(name, in, CpuLevel::best)[0]));
  REQUIRE(evaluate("rcp", in, CpuLevel::best)[0] == -std::numeric_limits<float>::infinity());
  REQUIRE(evaluate("lg2", in, CpuLevel::best)[0] == -std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace castor::sm::test
