// F, D, Zfh, Zfa, Zfbfmin: floating point (unprivileged manual, chapters 20 to 27).
#pragma once

#include "gpu/semantics/fp/constants.h"
#include "gpu/semantics/integer.h"

namespace castor::semantics {

constexpr Rm rm(const Insn& x) { return static_cast<Rm>(x.rm); }

// clang-format off
#define F(name) name##_s
#define FBITS 32
#define FSIGN 0x8000'0000u
#include "gpu/semantics/float_format.inc"

#define F(name) name##_d
#define FBITS 64
#define FSIGN 0x8000'0000'0000'0000u
#include "gpu/semantics/float_format.inc"

#define F(name) name##_h
#define FBITS 16
#define FSIGN 0x8000u
#include "gpu/semantics/float_format.inc"

// Moves between memory, x and f registers look at raw bits: the box is not checked on the way out.
template <BaseEmitter E> void flw(E& e, const Insn& x) { e.fset(x.d, e.as_f32(e.load(kU32, address(e, x)))); }
template <BaseEmitter E> void fld(E& e, const Insn& x) { e.fset(x.d, e.as_f64(e.load(kU64, address(e, x)))); }
template <BaseEmitter E> void flh(E& e, const Insn& x) { e.fset(x.d, e.as_f16(e.load(kU16, address(e, x)))); }
template <BaseEmitter E> void fsw(E& e, const Insn& x) { e.store(kU32, address(e, x), e.freg_bits(x.b)); }
template <BaseEmitter E> void fsd(E& e, const Insn& x) { e.store(kU64, address(e, x), e.freg_bits(x.b)); }
template <BaseEmitter E> void fsh(E& e, const Insn& x) { e.store(kU16, address(e, x), e.freg_bits(x.b)); }
template <BaseEmitter E> void fmv_x_w(E& e, const Insn& x) { e.set(x.d, e.sext32(e.freg_bits(x.a))); }
template <BaseEmitter E> void fmv_x_d(E& e, const Insn& x) { e.set(x.d, e.freg_bits(x.a)); }
template <BaseEmitter E> void fmv_x_h(E& e, const Insn& x) { e.set(x.d, e.sext16(e.freg_bits(x.a))); }
template <BaseEmitter E> void fmv_w_x(E& e, const Insn& x) { e.fset(x.d, e.as_f32(e.reg(x.a))); }
template <BaseEmitter E> void fmv_d_x(E& e, const Insn& x) { e.fset(x.d, e.as_f64(e.reg(x.a))); }
template <BaseEmitter E> void fmv_h_x(E& e, const Insn& x) { e.fset(x.d, e.as_f16(e.reg(x.a))); }

// Among formats. Widening is exact, but its rounding mode must be a valid one (manual, 20.2).
template <BaseEmitter E> void fcvt_s_d(E& e, const Insn& x) { e.fset(x.d, e.f32_from_f64(e.freg64(x.a), rm(x))); }
template <BaseEmitter E> void fcvt_d_s(E& e, const Insn& x) { e.fset(x.d, e.f64_from_f32(e.freg32(x.a), rm(x))); }
template <BaseEmitter E> void fcvt_s_h(E& e, const Insn& x) { e.fset(x.d, e.f32_from_f16(e.freg16(x.a), rm(x))); }
template <BaseEmitter E> void fcvt_h_s(E& e, const Insn& x) { e.fset(x.d, e.f16_from_f32(e.freg32(x.a), rm(x))); }
template <BaseEmitter E> void fcvt_d_h(E& e, const Insn& x) { e.fset(x.d, e.f64_from_f16(e.freg16(x.a), rm(x))); }
template <BaseEmitter E> void fcvt_h_d(E& e, const Insn& x) { e.fset(x.d, e.f16_from_f64(e.freg64(x.a), rm(x))); }
// A bfloat16 is boxed as a half is, but its canonical NaN is another pattern: the box is checked here.
template <BaseEmitter E> void fcvt_bf16_s(E& e, const Insn& x) { e.fset(x.d, e.as_f16(e.bf16_from_f32(e.freg32(x.a), rm(x)))); }
template <BaseEmitter E> void fcvt_s_bf16(E& e, const Insn& x) {
  auto raw = e.freg_bits(x.a);
  auto boxed = e.eq(e.shr(raw, e.i64(16)), e.i64(0xffff'ffff'ffff));
  e.fset(x.d, e.f32_from_bf16(e.select(boxed, e.zext16(raw), e.i64(0x7fc0)), rm(x)));
}
template <BaseEmitter E> void fcvtmod_w_d(E& e, const Insn& x) { e.set(x.d, e.to_s32_modular(e.freg64(x.a))); }
// clang-format on

}  // namespace castor::semantics
