// Emitter: what every instruction's meaning is written against.
//
// A meaning is `template <Emitter E> void add_uw(E& e, const Insn& x)`, named as its row and filed by manual chapter. Engines
// are emitters: the interpreter computes 32 lanes at once, a hart one, the translator writes LLVM IR. So a meaning
//   * never looks at a guest value with a host `if`: it selects. Fields of `x` are constants of the instruction;
//   * does its memory access (one at most), `converge` or whatever may fault or wait before the first register write, and
//     writes each register once. After a fault or while waiting the emitter ignores the writes: nothing is retired;
//   * knows no mask: the emitter writes only the lanes that execute. x0 reads as zero and ignores writes.
//
// Values: E::I64 and E::I32 are bare bits; signedness is in the operation. E::F16, F32, F64 are unboxed floats, E::Bool a
// truth value for each lane. Constants come from i64(), i32(), boolean().
#pragma once

#include <concepts>
#include <cstdint>

#include "gpu/isa/insn.h"
#include "platform/core/fault.h"

namespace castor::semantics {

using Insn = isa::Decoded;

/// Size and extension of a memory operand. Loads give an I64, extended as said; stores write the low bytes.
template <unsigned Bytes, bool Signed>
struct MemType {
  static constexpr unsigned bytes = Bytes;
  static constexpr bool is_signed = Signed;
};
inline constexpr MemType<1, true> kS8{};
inline constexpr MemType<1, false> kU8{};
inline constexpr MemType<2, true> kS16{};
inline constexpr MemType<2, false> kU16{};
inline constexpr MemType<4, true> kS32{};
inline constexpr MemType<4, false> kU32{};
inline constexpr MemType<8, false> kU64{};

/// Read-modify-write of one location. Sizes: 4 and 8 for the integer ones, 4 where the name has no other.
enum class AmoOp : std::uint8_t {
  swap,
  add,
  and_,
  or_,
  xor_,
  min,
  max,
  minu,
  maxu,  // the A extension
  inc,
  dec,  // unsigned 32 bits, wrapping as PTX says
  fadd_s,
  fadd_d,
  fadd_h2,
  fadd_b2,  // operand and result are the raw bits
};

/// RISC-V rounding modes; `dynamic` means frm.
enum class Rm : std::uint8_t { rne = 0, rtz = 1, rdn = 2, rup = 3, rmm = 4, dynamic = 7 };

enum class BarrierOp : std::uint8_t { sync, arrive, popc, and_, or_ };
enum class ReduceOp : std::uint8_t { add, min, max, minu, maxu, and_, or_, xor_ };
/// Privileged and waiting instructions; an engine that lacks one answers illegal_instruction.
enum class SystemOp : std::uint8_t { ecall, ebreak, mret, sret, wfi, sfence_vma, exit, yield };

// clang-format off
template <class E>
concept IntegerEmitter = requires(E& e, typename E::I64 x, typename E::I32 w, typename E::Bool p, std::uint64_t k, std::uint32_t k32) {
  // Constants, registers.
  { e.i64(k) } -> std::same_as<typename E::I64>;
  { e.i32(k32) } -> std::same_as<typename E::I32>;
  { e.boolean(true) } -> std::same_as<typename E::Bool>;
  { e.reg(1u) } -> std::same_as<typename E::I64>;      // x register
  e.set(1u, x);                                        // x register = I64; a Bool is written as 0 or 1
  e.set(1u, p);

  // On I64 and I32 alike. Shift amounts count modulo the width. div/rem give RISC-V's results for zero and overflow.
  { e.add(x, x) } -> std::same_as<typename E::I64>;    { e.add(w, w) } -> std::same_as<typename E::I32>;
  { e.sub(x, x) } -> std::same_as<typename E::I64>;    { e.sub(w, w) } -> std::same_as<typename E::I32>;
  { e.mul(x, x) } -> std::same_as<typename E::I64>;    { e.mul(w, w) } -> std::same_as<typename E::I32>;
  { e.div(x, x) } -> std::same_as<typename E::I64>;    { e.div(w, w) } -> std::same_as<typename E::I32>;
  { e.divu(x, x) } -> std::same_as<typename E::I64>;   { e.divu(w, w) } -> std::same_as<typename E::I32>;
  { e.rem(x, x) } -> std::same_as<typename E::I64>;    { e.rem(w, w) } -> std::same_as<typename E::I32>;
  { e.remu(x, x) } -> std::same_as<typename E::I64>;   { e.remu(w, w) } -> std::same_as<typename E::I32>;
  { e.and_(x, x) } -> std::same_as<typename E::I64>;   { e.and_(w, w) } -> std::same_as<typename E::I32>;
  { e.or_(x, x) } -> std::same_as<typename E::I64>;    { e.or_(w, w) } -> std::same_as<typename E::I32>;
  { e.xor_(x, x) } -> std::same_as<typename E::I64>;   { e.xor_(w, w) } -> std::same_as<typename E::I32>;
  { e.not_(x) } -> std::same_as<typename E::I64>;      { e.not_(w) } -> std::same_as<typename E::I32>;
  { e.shl(x, x) } -> std::same_as<typename E::I64>;    { e.shl(w, w) } -> std::same_as<typename E::I32>;
  { e.shr(x, x) } -> std::same_as<typename E::I64>;    { e.shr(w, w) } -> std::same_as<typename E::I32>;  // logical
  { e.sar(x, x) } -> std::same_as<typename E::I64>;    { e.sar(w, w) } -> std::same_as<typename E::I32>;  // arithmetic
  { e.clz(x) } -> std::same_as<typename E::I64>;       { e.clz(w) } -> std::same_as<typename E::I32>;     // width if zero
  { e.ctz(x) } -> std::same_as<typename E::I64>;       { e.ctz(w) } -> std::same_as<typename E::I32>;     // width if zero
  { e.popcount(x) } -> std::same_as<typename E::I64>;  { e.popcount(w) } -> std::same_as<typename E::I32>;
  { e.bswap(x) } -> std::same_as<typename E::I64>;     { e.bswap(w) } -> std::same_as<typename E::I32>;
  { e.bitreverse(x) } -> std::same_as<typename E::I64>; { e.bitreverse(w) } -> std::same_as<typename E::I32>;
  { e.eq(x, x) } -> std::same_as<typename E::Bool>;    { e.eq(w, w) } -> std::same_as<typename E::Bool>;
  { e.ne(x, x) } -> std::same_as<typename E::Bool>;    { e.ne(w, w) } -> std::same_as<typename E::Bool>;
  { e.lt(x, x) } -> std::same_as<typename E::Bool>;    { e.lt(w, w) } -> std::same_as<typename E::Bool>;  // signed
  { e.ltu(x, x) } -> std::same_as<typename E::Bool>;   { e.ltu(w, w) } -> std::same_as<typename E::Bool>;
  { e.select(p, x, x) } -> std::same_as<typename E::I64>; { e.select(p, w, w) } -> std::same_as<typename E::I32>;
  // 64 bits only: the high half of a product.
  { e.mulh(x, x) } -> std::same_as<typename E::I64>;
  { e.mulhu(x, x) } -> std::same_as<typename E::I64>;
  { e.mulhsu(x, x) } -> std::same_as<typename E::I64>;

  // Width changes: low32 takes bits 31..0; sext8 and its like extend the low bits of an I64.
  { e.low32(x) } -> std::same_as<typename E::I32>;
  { e.sext(w) } -> std::same_as<typename E::I64>;
  { e.zext(w) } -> std::same_as<typename E::I64>;
  { e.sext8(x) } -> std::same_as<typename E::I64>;
  { e.sext16(x) } -> std::same_as<typename E::I64>;
  { e.sext32(x) } -> std::same_as<typename E::I64>;
  { e.zext8(x) } -> std::same_as<typename E::I64>;
  { e.zext16(x) } -> std::same_as<typename E::I64>;
  { e.zext32(x) } -> std::same_as<typename E::I64>;

  // Truth values.
  { e.logical_and(p, p) } -> std::same_as<typename E::Bool>;
  { e.logical_or(p, p) } -> std::same_as<typename E::Bool>;
  { e.logical_not(p) } -> std::same_as<typename E::Bool>;
  { e.to_i64(p) } -> std::same_as<typename E::I64>;    // 0 or 1
};

// One floating-point format. Results that are NaN are canonical; flags accrue in fcsr as the manual says. A reserved
// rounding mode in frm is an illegal instruction, raised by the operation that uses it.
template <class E, class F>
concept FloatOperations = requires(E& e, F a, typename E::Bool p, typename E::I64 x, Rm rm) {
  { e.fadd(a, a, rm) } -> std::same_as<F>;
  { e.fsub(a, a, rm) } -> std::same_as<F>;
  { e.fmul(a, a, rm) } -> std::same_as<F>;
  { e.fdiv(a, a, rm) } -> std::same_as<F>;
  { e.fsqrt(a, rm) } -> std::same_as<F>;
  { e.fmadd(a, a, a, rm) } -> std::same_as<F>;         // a * b + c, rounded once
  { e.fneg(a) } -> std::same_as<F>;                    // flips the sign bit, of a NaN too; no flags
  { e.fmin(a, a) } -> std::same_as<F>;                 // minimumNumber: the other one if one is NaN; -0 < +0
  { e.fmax(a, a) } -> std::same_as<F>;
  { e.fminm(a, a) } -> std::same_as<F>;                // minimum (Zfa): NaN if one is NaN
  { e.fmaxm(a, a) } -> std::same_as<F>;
  { e.feq(a, a) } -> std::same_as<typename E::Bool>;   // quiet
  { e.flt(a, a) } -> std::same_as<typename E::Bool>;   // signalling: invalid for any NaN
  { e.fle(a, a) } -> std::same_as<typename E::Bool>;
  { e.fltq(a, a) } -> std::same_as<typename E::Bool>;  // quiet (Zfa)
  { e.fleq(a, a) } -> std::same_as<typename E::Bool>;
  { e.fclass(a) } -> std::same_as<typename E::I64>;    // the ten-bit class mask
  { e.fround(a, rm, false) } -> std::same_as<F>;       // Zfa: to an integral value; true: inexact is raised (froundnx)
  { e.bits(a) } -> std::same_as<typename E::I64>;      // the format's bits, zero-extended
  { e.select(p, a, a) } -> std::same_as<F>;
  // To integers, RISC-V's saturation; 32-bit results come sign-extended, whether signed or not.
  { e.to_s32(a, rm) } -> std::same_as<typename E::I64>;
  { e.to_u32(a, rm) } -> std::same_as<typename E::I64>;
  { e.to_s64(a, rm) } -> std::same_as<typename E::I64>;
  { e.to_u64(a, rm) } -> std::same_as<typename E::I64>;
};

template <class E>
concept FloatEmitter =
    FloatOperations<E, typename E::F16> && FloatOperations<E, typename E::F32> && FloatOperations<E, typename E::F64> &&
    requires(E& e, typename E::F16 h, typename E::F32 f, typename E::F64 d, typename E::I64 x, Rm rm) {
  // f registers. Reading a narrow value that is not properly boxed gives the canonical NaN; writing boxes.
  { e.freg16(1u) } -> std::same_as<typename E::F16>;
  { e.freg32(1u) } -> std::same_as<typename E::F32>;
  { e.freg64(1u) } -> std::same_as<typename E::F64>;
  { e.freg_bits(1u) } -> std::same_as<typename E::I64>;  // the raw 64 bits, box and all
  e.fset(1u, h);
  e.fset(1u, f);
  e.fset(1u, d);
  e.fset_bits(1u, x);                                    // raw 64 bits
  // Bits (the low ones) to values, whatever they are.
  { e.as_f16(x) } -> std::same_as<typename E::F16>;
  { e.as_f32(x) } -> std::same_as<typename E::F32>;
  { e.as_f64(x) } -> std::same_as<typename E::F64>;
  // From integers; the 32-bit ones look at bits 31..0.
  { e.f16_from_s32(x, rm) } -> std::same_as<typename E::F16>;  { e.f16_from_u32(x, rm) } -> std::same_as<typename E::F16>;
  { e.f16_from_s64(x, rm) } -> std::same_as<typename E::F16>;  { e.f16_from_u64(x, rm) } -> std::same_as<typename E::F16>;
  { e.f32_from_s32(x, rm) } -> std::same_as<typename E::F32>;  { e.f32_from_u32(x, rm) } -> std::same_as<typename E::F32>;
  { e.f32_from_s64(x, rm) } -> std::same_as<typename E::F32>;  { e.f32_from_u64(x, rm) } -> std::same_as<typename E::F32>;
  { e.f64_from_s32(x, rm) } -> std::same_as<typename E::F64>;  { e.f64_from_u32(x, rm) } -> std::same_as<typename E::F64>;
  { e.f64_from_s64(x, rm) } -> std::same_as<typename E::F64>;  { e.f64_from_u64(x, rm) } -> std::same_as<typename E::F64>;
  // Among formats. Widening is exact, but a reserved dynamic rounding mode is illegal there too. bfloat16 values travel as the low 16 bits of an I64.
  { e.f32_from_f16(h, rm) } -> std::same_as<typename E::F32>;      { e.f64_from_f16(h, rm) } -> std::same_as<typename E::F64>;
  { e.f16_from_f32(f, rm) } -> std::same_as<typename E::F16>;  { e.f64_from_f32(f, rm) } -> std::same_as<typename E::F64>;
  { e.f16_from_f64(d, rm) } -> std::same_as<typename E::F16>;  { e.f32_from_f64(d, rm) } -> std::same_as<typename E::F32>;
  { e.f32_from_bf16(x, rm) } -> std::same_as<typename E::F32>;     { e.bf16_from_f32(f, rm) } -> std::same_as<typename E::I64>;
  { e.to_s32_modular(d) } -> std::same_as<typename E::I64>;    // fcvtmod.w.d
  // For approx.h: plain f32 arithmetic, round to nearest even, that touches no flags. Same bits on every host.
  { e.raw_add(f, f) } -> std::same_as<typename E::F32>;
  { e.raw_sub(f, f) } -> std::same_as<typename E::F32>;
  { e.raw_mul(f, f) } -> std::same_as<typename E::F32>;
  { e.raw_fma(f, f, f) } -> std::same_as<typename E::F32>;
  { e.raw_div(f, f) } -> std::same_as<typename E::F32>;
  { e.raw_sqrt(f) } -> std::same_as<typename E::F32>;
  { e.raw_lt(f, f) } -> std::same_as<typename E::Bool>;        // false for NaN
  { e.raw_eq(f, f) } -> std::same_as<typename E::Bool>;
};

template <class E>
concept MemoryEmitter = requires(E& e, typename E::I64 x) {
  // Natural alignment is required; whatever goes wrong is the emitter's fault to raise.
  { e.load(kS32, x) } -> std::same_as<typename E::I64>;            // load(type, address)
  e.store(kU32, x, x);                                             // store(type, address, value)
  { e.amo(AmoOp::add, kS32, x, x) } -> std::same_as<typename E::I64>;  // amo(op, type, address, operand): the old value
  { e.cas(kS32, x, x, x) } -> std::same_as<typename E::I64>;       // cas(type, address, expected, desired): the old value
  { e.lr(kS32, x) } -> std::same_as<typename E::I64>;
  { e.sc(kS32, x, x) } -> std::same_as<typename E::I64>;           // sc(type, address, value): 0 if stored, else 1
  e.fence();
  e.fence_i();
};

template <class E>
concept ControlEmitter = requires(E& e, typename E::I64 x, typename E::Bool p, std::int64_t offset) {
  { e.pc() } -> std::same_as<typename E::I64>;         // of this instruction
  { e.next_pc() } -> std::same_as<typename E::I64>;    // of the one after it: what a call links
  e.branch(p, offset);                                 // to pc + offset where p holds. Last action of a meaning, like
  e.jump(offset);                                      // to pc + offset
  e.jump_to(x);                                        // to an address
  { e.csr_read(0u) } -> std::same_as<typename E::I64>;
  e.csr_write(0u, x);                                  // a read-only or unknown CSR: illegal_instruction
  e.fault(FaultCause::trap, x);                        // every executing lane; the value is the record's detail
  e.system(SystemOp::ecall);
  e.nanosleep(x);
};

// The lanes of a warp. A hart is a warp of one lane.
template <class E>
concept WarpEmitter = requires(E& e, typename E::I64 x, typename E::I32 w, typename E::Bool p) {
  // Comes first in every operation with a lane mask: from here on the mask's lanes (those that have not exited) execute
  // together, wherever their PCs are. Lanes with different masks may be in the same step: what follows must stay
  // within each lane's own mask. A lane outside its own mask faults (illegal_instruction).
  e.converge(x);
  { e.lane() } -> std::same_as<typename E::I64>;       // own lane number
  { e.executing() } -> std::same_as<typename E::I64>;  // mask of the lanes in this step
  { e.ballot(p) } -> std::same_as<typename E::I64>;    // mask of the executing lanes where p holds
  { e.match(x) } -> std::same_as<typename E::I64>;     // mask of the executing lanes with the same value
  { e.shuffle(x, x) } -> std::same_as<typename E::I64>;  // shuffle(value, lane 0..31): that lane's value; 0 if not executing
  { e.reduce(ReduceOp::add, w, x) } -> std::same_as<typename E::I32>;  // reduce(op, value, mask): over the mask's executing lanes
  // barrier(op, threads << 8 | id, predicate, rd): the result, if the operation has one, is in rd when the lane goes on.
  e.barrier(BarrierOp::sync, x, p, 0u);
};
// clang-format on

/// What the RV64 chapters need; a hart is no more than this.
template <class E>
concept BaseEmitter = IntegerEmitter<E> && FloatEmitter<E> && MemoryEmitter<E> && ControlEmitter<E>;

template <class E>
concept Emitter = BaseEmitter<E> && WarpEmitter<E>;

}  // namespace castor::semantics
