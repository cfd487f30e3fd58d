// The instructions that Debian's qemu does not know, against definitions written here from the manual's text with the
// host's own arithmetic: Zicond, Zacas, Zfa, Zfbfmin (and ctzw, which qemu 7.2 gets wrong).
#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <string>

#include "gpu/isa/assembler.h"
#include "tests/gpu/hart/guest_program.h"
#include "tests/support/catch.h"

using namespace castor::hart::testing;
namespace fp = castor::semantics::fp;
using castor::isa::rounding_name;

namespace {

constexpr unsigned kNx = 1, kUf = 2, kOf = 4, kNv = 16;
const char* const kModes[] = {"rne", "rtz", "rdn", "rup", "rmm"};

using Expectation = std::function<Outcome(const Triple&)>;

/// A program whose every case comes with what it must give.
class Checked {
 public:
  std::size_t add_table(Operands operands) {
    tables_.push_back(operands);
    return program_.add_table(std::move(operands));
  }
  void add(std::size_t table, const char* result, std::vector<std::string> body, const Expectation& expected) {
    program_.add_case(table, result, std::move(body));
    for (const Triple& row : tables_[table]) expected_.push_back(expected(row));
  }
  void require() const {
    const auto ours = program_.run_on_hart();
    REQUIRE(ours.size() == expected_.size());
    const auto difference = program_.compare(ours, expected_);
    INFO(difference.text);
    CHECK(difference.count == 0);
  }

 private:
  GuestProgram program_;
  std::vector<Operands> tables_;
  std::vector<Outcome> expected_;
};

/// A format as the host sees it.
template <class F, class HostType, class HostBits>
struct HostFormat {
  using Soft = F;
  using Type = HostType;
  static constexpr std::uint64_t kBox = sizeof(HostBits) == 8 ? 0 : ~std::uint64_t{0} << (8 * sizeof(HostBits) % 64);
  static constexpr HostBits kNan = F::nan;
  static bool boxed(std::uint64_t reg) { return (reg & kBox) == kBox; }
  static HostBits bits(std::uint64_t reg) { return boxed(reg) ? static_cast<HostBits>(reg) : kNan; }
  static double value(std::uint64_t reg) { return static_cast<double>(std::bit_cast<HostType>(bits(reg))); }
  static bool is_nan(std::uint64_t reg) { return std::isnan(value(reg)); }
  static bool signalling(std::uint64_t reg) { return is_nan(reg) && (bits(reg) >> (F::fraction_bits - 1) & 1) == 0; }
  static std::uint64_t reg(HostBits bits) { return kBox | bits; }
  static std::uint64_t reg_of(double value) { return reg(std::bit_cast<HostBits>(static_cast<HostType>(value))); }
};
using Half = HostFormat<fp::Half, _Float16, std::uint16_t>;
using Single = HostFormat<fp::Single, float, std::uint32_t>;
using Double = HostFormat<fp::Double, double, std::uint64_t>;

template <class H>
unsigned quiet_flags(const Triple& row) {
  return H::signalling(row[0]) || H::signalling(row[1]) ? kNv : 0;
}

template <class H>
std::uint64_t larger(const Triple& row, bool want_larger) {
  if (H::is_nan(row[0]) || H::is_nan(row[1])) return H::reg(H::kNan);
  const double a = H::value(row[0]), b = H::value(row[1]);
  const bool a_larger = a > b || (a == b && std::signbit(b));
  return H::reg(H::bits(a_larger == want_larger ? row[0] : row[1]));
}

/// To an integral value as the C library does it; rmm is C's round.
double integral(double x, unsigned mode) {
  switch (mode) {
    case 0: return std::nearbyint(x);
    case 1: return std::trunc(x);
    case 2: return std::floor(x);
    case 3: return std::ceil(x);
    default: return std::round(x);
  }
}

template <class H>
Outcome rounded(std::uint64_t reg, unsigned mode, bool inexact) {
  if (H::is_nan(reg)) return {H::reg(H::kNan), H::signalling(reg) ? kNv : 0u};
  const double x = H::value(reg), result = integral(x, mode);
  return {H::reg_of(result), result != x && inexact ? kNx : 0u};
}

Outcome modular(std::uint64_t reg) {
  const double x = std::bit_cast<double>(reg);
  if (!std::isfinite(x)) return {0, kNv};
  const double whole = std::trunc(x);
  const auto low = static_cast<std::uint32_t>(static_cast<std::int64_t>(std::fmod(whole, 4294967296.0)));
  const bool out_of_range = whole < -2147483648.0 || whole > 2147483647.0;
  return {static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)}), out_of_range ? kNv
                                                                                    : whole != x ? kNx
                                                                                                 : 0u};
}

/// A magnitude rounded to a multiple of `unit`, in exact double arithmetic.
double to_multiple(double magnitude, double unit, bool negative, unsigned mode) {
  const double quotient = magnitude / unit;  // unit is a power of two
  return integral(negative ? -quotient : quotient, mode) * (negative ? -unit : unit);
}

Outcome to_bfloat(std::uint64_t reg, unsigned mode) {
  if (Single::is_nan(reg)) return {~std::uint64_t{0xffff} | 0x7fc0, Single::signalling(reg) ? kNv : 0u};
  const double x = Single::value(reg), magnitude = std::fabs(x);
  const bool negative = std::signbit(x);
  const auto boxed = [](double value) {
    return ~std::uint64_t{0xffff} | std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
  };
  if (std::isinf(x) || x == 0) return {boxed(x), 0};
  const int exponent = std::ilogb(magnitude);
  const double unbounded = to_multiple(magnitude, std::ldexp(1.0, exponent - 7), negative, mode);
  if (std::fabs(unbounded) >= std::ldexp(1.0, 128)) return {boxed(negative ? -INFINITY : INFINITY), kOf | kNx};
  const double result = to_multiple(magnitude, std::ldexp(1.0, std::max(exponent, -126) - 7), negative, mode);
  const bool tiny = std::fabs(unbounded) < std::ldexp(1.0, -126);
  const double signed_result = std::copysign(result, x);
  return {boxed(signed_result), signed_result == x ? 0u : tiny ? kNx | kUf : kNx};
}

template <class H>
void add_zfa(Checked& checked, const std::string& s) {
  const auto pairs = checked.add_table(float_pairs<typename H::Soft>());
  const auto singles = checked.add_table(float_singles<typename H::Soft>());
  for (bool want_larger : {false, true}) {
    checked.add(pairs, "fa0", {(want_larger ? "fmaxm." : "fminm.") + s + " fa0, fa1, fa2"},
                [=](const Triple& row) { return Outcome{larger<H>(row, want_larger), quiet_flags<H>(row)}; });
  }
  checked.add(pairs, "a0", {"fleq." + s + " a0, fa1, fa2"}, [](const Triple& row) {
    return Outcome{H::value(row[0]) <= H::value(row[1]) ? 1u : 0u, quiet_flags<H>(row)};
  });
  checked.add(pairs, "a0", {"fltq." + s + " a0, fa1, fa2"}, [](const Triple& row) {
    return Outcome{H::value(row[0]) < H::value(row[1]) ? 1u : 0u, quiet_flags<H>(row)};
  });
  for (unsigned mode = 0; mode < 5; ++mode) {
    for (bool inexact : {false, true}) {
      const std::string insn = (inexact ? "froundnx." : "fround.") + s + " fa0, fa1";
      checked.add(singles, "fa0", {"csrrwi zero, frm, " + std::to_string(4 - mode), insn + ", " + kModes[mode]},
                  [=](const Triple& row) { return rounded<H>(row[0], mode, inexact); });
      checked.add(singles, "fa0", {"csrrwi zero, frm, " + std::to_string(mode), insn},
                  [=](const Triple& row) { return rounded<H>(row[0], mode, inexact); });
    }
  }
}

/// The table of the Zfa manual, in its own words where a number has a name there.
struct Constant {
  const char* text;
  double value;
};
constexpr Constant kConstants[] = {{"-1.0", -1.0},
                                   {"0.00390625", 0x1p-8},
                                   {"0.0078125", 0x1p-7},
                                   {"0.0625", 0x1p-4},
                                   {"0.125", 0x1p-3},
                                   {"0.25", 0.25},
                                   {"0.3125", 0.3125},
                                   {"0.375", 0.375},
                                   {"0.4375", 0.4375},
                                   {"0.5", 0.5},
                                   {"0.625", 0.625},
                                   {"0.75", 0.75},
                                   {"0.875", 0.875},
                                   {"1.0", 1.0},
                                   {"1.25", 1.25},
                                   {"1.5", 1.5},
                                   {"1.75", 1.75},
                                   {"2.0", 2.0},
                                   {"2.5", 2.5},
                                   {"3.0", 3.0},
                                   {"4.0", 4.0},
                                   {"8.0", 8.0},
                                   {"16.0", 16.0},
                                   {"128.0", 128.0},
                                   {"256.0", 256.0},
                                   {"32768.0", 0x1p15},
                                   {"65536.0", 0x1p16},
                                   {"inf", INFINITY},
                                   {"1.52587890625e-05", 0x1p-16},
                                   {"3.0517578125e-05", 0x1p-15}};

template <class H>
void add_fli(Checked& checked, std::size_t table, const std::string& s, std::uint64_t smallest_normal) {
  for (const Constant& constant : kConstants) {
    checked.add(table, "fa0", {"fli." + s + " fa0, " + constant.text},
                [&](const Triple&) { return Outcome{H::reg_of(constant.value), 0}; });
  }
  checked.add(table, "fa0", {"fli." + s + " fa0, min"}, [&](const Triple&) { return Outcome{smallest_normal, 0}; });
  checked.add(table, "fa0", {"fli." + s + " fa0, nan"}, [&](const Triple&) { return Outcome{H::reg(H::kNan), 0}; });
}

}  // namespace

TEST_CASE("Zicond, and ctzw, do as the manual says") {
  Checked checked;
  const auto table = checked.add_table(integer_operands());
  checked.add(table, "a0", {"czero.eqz a0, a1, a2"},
              [](const Triple& row) { return Outcome{row[1] == 0 ? 0 : row[0], 0}; });
  checked.add(table, "a0", {"czero.nez a0, a1, a2"},
              [](const Triple& row) { return Outcome{row[1] != 0 ? 0 : row[0], 0}; });
  checked.add(table, "a0", {"ctzw a0, a1"}, [](const Triple& row) {
    const auto low = static_cast<std::uint32_t>(row[0]);
    return Outcome{low == 0 ? 32u : static_cast<std::uint64_t>(__builtin_ctz(low)), 0};
  });
  checked.require();
}

TEST_CASE("Zacas swaps where memory equals the old destination") {
  Checked checked;
  Operands operands = integer_operands();
  for (std::size_t i = 0; i < operands.size(); ++i)
    operands[i][2] = i % 3 == 0 ? operands[i][0] : i % 3 == 1 ? operands[i][0] ^ 1ull << 40 : i;
  const auto table = checked.add_table(operands);
  const auto word = [](std::uint64_t x) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)});
  };
  const std::string set_up = "sd a1, 0(s3)", expect = "addi a0, a3, 0", after = "ld a0, 0(s3)";
  checked.add(table, "a0", {set_up, expect, "amocas.w.aqrl a0, a2, (s3)"},
              [&](const Triple& row) { return Outcome{word(row[0]), 0}; });
  checked.add(table, "a0", {set_up, expect, "amocas.w a0, a2, (s3)", after}, [&](const Triple& row) {
    const bool swaps = static_cast<std::uint32_t>(row[0]) == static_cast<std::uint32_t>(row[2]);
    return Outcome{swaps ? (row[0] & ~0xffff'ffffull) | static_cast<std::uint32_t>(row[1]) : row[0], 0};
  });
  checked.add(table, "a0", {set_up, expect, "amocas.d a0, a2, (s3)"},
              [&](const Triple& row) { return Outcome{row[0], 0}; });
  checked.add(table, "a0", {set_up, expect, "amocas.d a0, a2, (s3)", after},
              [&](const Triple& row) { return Outcome{row[0] == row[2] ? row[1] : row[0], 0}; });
  checked.require();
}

TEST_CASE("Zfa does as the manual says, in all formats and rounding modes") {
  Checked checked;
  add_zfa<Half>(checked, "h");
  add_zfa<Single>(checked, "s");
  add_zfa<Double>(checked, "d");
  const auto doubles = checked.add_table(float_singles<fp::Double>());
  checked.add(doubles, "a0", {"fcvtmod.w.d a0, fa1, rtz"}, [](const Triple& row) { return modular(row[0]); });
  const auto once = checked.add_table({{0, 0, 0}});
  add_fli<Half>(checked, once, "h", 0xffff'ffff'ffff'0400);
  add_fli<Single>(checked, once, "s", 0xffff'ffff'0080'0000);
  add_fli<Double>(checked, once, "d", 0x0010'0000'0000'0000);
  checked.require();
}

TEST_CASE("Zfbfmin does as the manual says, in all rounding modes") {
  Checked checked;
  const auto singles = checked.add_table(float_singles<fp::Single>());
  for (unsigned mode = 0; mode < 5; ++mode) {
    checked.add(singles, "fa0", {std::string("fcvt.bf16.s fa0, fa1, ") + kModes[mode]},
                [=](const Triple& row) { return to_bfloat(row[0], mode); });
  }
  Operands all;
  for (std::uint64_t bits = 0; bits < 65536; ++bits) all.push_back({~std::uint64_t{0xffff} | bits, 0, 0});
  all.push_back({0x3f80, 0, 0});  // no box: canonical NaN
  const auto bfloats = checked.add_table(all);
  checked.add(bfloats, "fa0", {"fcvt.s.bf16 fa0, fa1"}, [](const Triple& row) {
    const auto bits = static_cast<std::uint32_t>(row[0] & 0xffff) << 16;
    const bool boxed = row[0] >> 16 == 0xffff'ffff'ffff, nan = (bits & 0x7fff'ffff) > 0x7f80'0000;
    if (!boxed || nan) return Outcome{Single::reg(Single::kNan), boxed && (bits & 0x40'0000) == 0 ? kNv : 0u};
    return Outcome{Single::reg(bits), 0};
  });
  checked.require();
}
