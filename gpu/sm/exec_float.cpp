// Exact floating point for the lanes of a warp: any rounding mode, flags into each lane's fcsr.
#include "gpu/semantics/fp/arithmetic.h"
#include "gpu/semantics/fp/compare.h"
#include "gpu/semantics/fp/convert.h"
#include "gpu/sm/exec.h"

namespace castor::sm {

namespace {

using namespace semantics::fp;
using semantics::Rm;

std::uint64_t word(std::int32_t value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }

template <class F>
std::uint64_t evaluate(FloatOp op, std::uint64_t a64, std::uint64_t b64, std::uint64_t c64, Env& env) {
  const auto a = static_cast<Bits<F>>(a64), b = static_cast<Bits<F>>(b64), c = static_cast<Bits<F>>(c64);
  switch (op) {
    case FloatOp::add: return add<F>(a, b, env);
    case FloatOp::sub: return subtract<F>(a, b, env);
    case FloatOp::mul: return multiply<F>(a, b, env);
    case FloatOp::div: return divide<F>(a, b, env);
    case FloatOp::sqrt: return square_root<F>(a, env);
    case FloatOp::fma: return fused_multiply_add<F>(a, b, c, env);
    case FloatOp::min: return minimum_number<F>(a, b, env);
    case FloatOp::max: return maximum_number<F>(a, b, env);
    case FloatOp::minm: return minimum<F>(a, b, env);
    case FloatOp::maxm: return maximum<F>(a, b, env);
    case FloatOp::eq: return equal<F>(a, b, env);
    case FloatOp::lt: return less<F>(a, b, Quiet::no, env);
    case FloatOp::le: return less_equal<F>(a, b, Quiet::no, env);
    case FloatOp::ltq: return less<F>(a, b, Quiet::yes, env);
    case FloatOp::leq: return less_equal<F>(a, b, Quiet::yes, env);
    case FloatOp::round: return round_to_integral<F>(a, false, env);
    case FloatOp::round_inexact: return round_to_integral<F>(a, true, env);
    case FloatOp::to_s32: return word(to_integer<std::int32_t, F>(a, env));
    case FloatOp::to_u32: return word(static_cast<std::int32_t>(to_integer<std::uint32_t, F>(a, env)));
    case FloatOp::to_s64: return static_cast<std::uint64_t>(to_integer<std::int64_t, F>(a, env));
    case FloatOp::to_u64: return to_integer<std::uint64_t, F>(a, env);
    case FloatOp::to_s32_modular: return word(to_int32_modular(a64, env));
    case FloatOp::from_s32: return from_integer<F>(static_cast<std::int32_t>(a64), env);
    case FloatOp::from_u32: return from_integer<F>(static_cast<std::uint32_t>(a64), env);
    case FloatOp::from_s64: return from_integer<F>(static_cast<std::int64_t>(a64), env);
    case FloatOp::from_u64: return from_integer<F>(a64, env);
    case FloatOp::to_f16: return convert<Half, F>(a, env);
    case FloatOp::to_f32: return convert<Single, F>(a, env);
    case FloatOp::to_f64: return convert<Double, F>(a, env);
    case FloatOp::to_bf16: return convert<Bfloat, F>(a, env);
  }
  return 0;
}

std::uint64_t evaluate(FloatOp op, FloatFormat format, const FloatOperands& v, unsigned lane, Env& env) {
  const std::uint64_t a = v.a[lane], b = v.b[lane], c = v.c[lane];
  switch (format) {
    case FloatFormat::f16: return evaluate<Half>(op, a, b, c, env);
    case FloatFormat::f32: return evaluate<Single>(op, a, b, c, env);
    case FloatFormat::f64: return evaluate<Double>(op, a, b, c, env);
    case FloatFormat::bf16: return evaluate<Bfloat>(op, a, b, c, env);
  }
  return 0;
}

bool takes_rounding(FloatOp op) {
  return op <= FloatOp::fma || (op >= FloatOp::round && op != FloatOp::to_s32_modular);
}

}  // namespace

bool exact_float(Exec& x, FloatOp op, FloatFormat format, unsigned rm, LaneMask mask, FloatOperands& v, bool quiet) {
  constexpr unsigned kDynamic = static_cast<unsigned>(Rm::dynamic), kLastMode = static_cast<unsigned>(Rm::rmm);
  std::uint32_t* fcsr = x.warp->fcsr;
  if (rm == kDynamic && takes_rounding(op)) {
    LaneMask reserved = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      if (fcsr[lane] >> 5 > kLastMode) reserved |= 1u << lane;
    }
    if (reserved != 0) {
      set_fault(x, FaultCause::illegal_instruction, reserved);
      return false;
    }
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    Env env;
    env.rm = static_cast<Rm>(rm == kDynamic ? fcsr[lane] >> 5 : rm);
    v.result[lane] = evaluate(op, format, v, lane, env);
    if (!quiet) fcsr[lane] |= env.flags;
  }
  return true;
}

}  // namespace castor::sm
