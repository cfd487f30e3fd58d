// RV64I: base integer instructions, loads, stores and branches (unprivileged manual, chapters 2 and 4).
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

// clang-format off: one line an instruction
template <BaseEmitter E> auto imm(E& e, const Insn& x) { return e.i64(static_cast<std::uint64_t>(x.imm)); }
template <BaseEmitter E> auto imm32(E& e, const Insn& x) { return e.i32(static_cast<std::uint32_t>(x.imm)); }
template <BaseEmitter E> auto address(E& e, const Insn& x) { return e.add(e.reg(x.a), imm(e, x)); }
template <BaseEmitter E> auto word_a(E& e, const Insn& x) { return e.low32(e.reg(x.a)); }
template <BaseEmitter E> auto word_b(E& e, const Insn& x) { return e.low32(e.reg(x.b)); }
template <BaseEmitter E> void set_word(E& e, const Insn& x, typename E::I32 value) { e.set(x.d, e.sext(value)); }

template <BaseEmitter E> void lui(E& e, const Insn& x) { e.set(x.d, imm(e, x)); }
template <BaseEmitter E> void auipc(E& e, const Insn& x) { e.set(x.d, e.add(e.pc(), imm(e, x))); }

// The link register may be the base register, so the target is read first.
template <BaseEmitter E> void jal(E& e, const Insn& x) { e.set(x.d, e.next_pc()); e.jump(x.imm); }
template <BaseEmitter E> void jalr(E& e, const Insn& x) {
  auto target = e.and_(address(e, x), e.i64(~std::uint64_t{1}));
  e.set(x.d, e.next_pc());
  e.jump_to(target);
}

template <BaseEmitter E> void beq(E& e, const Insn& x) { e.branch(e.eq(e.reg(x.a), e.reg(x.b)), x.imm); }
template <BaseEmitter E> void bne(E& e, const Insn& x) { e.branch(e.ne(e.reg(x.a), e.reg(x.b)), x.imm); }
template <BaseEmitter E> void blt(E& e, const Insn& x) { e.branch(e.lt(e.reg(x.a), e.reg(x.b)), x.imm); }
template <BaseEmitter E> void bge(E& e, const Insn& x) { e.branch(e.logical_not(e.lt(e.reg(x.a), e.reg(x.b))), x.imm); }
template <BaseEmitter E> void bltu(E& e, const Insn& x) { e.branch(e.ltu(e.reg(x.a), e.reg(x.b)), x.imm); }
template <BaseEmitter E> void bgeu(E& e, const Insn& x) { e.branch(e.logical_not(e.ltu(e.reg(x.a), e.reg(x.b))), x.imm); }

template <BaseEmitter E> void lb(E& e, const Insn& x) { e.set(x.d, e.load(kS8, address(e, x))); }
template <BaseEmitter E> void lh(E& e, const Insn& x) { e.set(x.d, e.load(kS16, address(e, x))); }
template <BaseEmitter E> void lw(E& e, const Insn& x) { e.set(x.d, e.load(kS32, address(e, x))); }
template <BaseEmitter E> void ld(E& e, const Insn& x) { e.set(x.d, e.load(kU64, address(e, x))); }
template <BaseEmitter E> void lbu(E& e, const Insn& x) { e.set(x.d, e.load(kU8, address(e, x))); }
template <BaseEmitter E> void lhu(E& e, const Insn& x) { e.set(x.d, e.load(kU16, address(e, x))); }
template <BaseEmitter E> void lwu(E& e, const Insn& x) { e.set(x.d, e.load(kU32, address(e, x))); }
template <BaseEmitter E> void sb(E& e, const Insn& x) { e.store(kU8, address(e, x), e.reg(x.b)); }
template <BaseEmitter E> void sh(E& e, const Insn& x) { e.store(kU16, address(e, x), e.reg(x.b)); }
template <BaseEmitter E> void sw(E& e, const Insn& x) { e.store(kU32, address(e, x), e.reg(x.b)); }
template <BaseEmitter E> void sd(E& e, const Insn& x) { e.store(kU64, address(e, x), e.reg(x.b)); }

template <BaseEmitter E> void addi(E& e, const Insn& x) { e.set(x.d, e.add(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void slti(E& e, const Insn& x) { e.set(x.d, e.lt(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void sltiu(E& e, const Insn& x) { e.set(x.d, e.ltu(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void xori(E& e, const Insn& x) { e.set(x.d, e.xor_(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void ori(E& e, const Insn& x) { e.set(x.d, e.or_(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void andi(E& e, const Insn& x) { e.set(x.d, e.and_(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void slli(E& e, const Insn& x) { e.set(x.d, e.shl(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void srli(E& e, const Insn& x) { e.set(x.d, e.shr(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void srai(E& e, const Insn& x) { e.set(x.d, e.sar(e.reg(x.a), imm(e, x))); }
template <BaseEmitter E> void addiw(E& e, const Insn& x) { set_word(e, x, e.add(word_a(e, x), imm32(e, x))); }
template <BaseEmitter E> void slliw(E& e, const Insn& x) { set_word(e, x, e.shl(word_a(e, x), imm32(e, x))); }
template <BaseEmitter E> void srliw(E& e, const Insn& x) { set_word(e, x, e.shr(word_a(e, x), imm32(e, x))); }
template <BaseEmitter E> void sraiw(E& e, const Insn& x) { set_word(e, x, e.sar(word_a(e, x), imm32(e, x))); }

template <BaseEmitter E> void add(E& e, const Insn& x) { e.set(x.d, e.add(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void sub(E& e, const Insn& x) { e.set(x.d, e.sub(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void sll(E& e, const Insn& x) { e.set(x.d, e.shl(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void slt(E& e, const Insn& x) { e.set(x.d, e.lt(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void sltu(E& e, const Insn& x) { e.set(x.d, e.ltu(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void xor_(E& e, const Insn& x) { e.set(x.d, e.xor_(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void srl(E& e, const Insn& x) { e.set(x.d, e.shr(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void sra(E& e, const Insn& x) { e.set(x.d, e.sar(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void or_(E& e, const Insn& x) { e.set(x.d, e.or_(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void and_(E& e, const Insn& x) { e.set(x.d, e.and_(e.reg(x.a), e.reg(x.b))); }
template <BaseEmitter E> void addw(E& e, const Insn& x) { set_word(e, x, e.add(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void subw(E& e, const Insn& x) { set_word(e, x, e.sub(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void sllw(E& e, const Insn& x) { set_word(e, x, e.shl(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void srlw(E& e, const Insn& x) { set_word(e, x, e.shr(word_a(e, x), word_b(e, x))); }
template <BaseEmitter E> void sraw(E& e, const Insn& x) { set_word(e, x, e.sar(word_a(e, x), word_b(e, x))); }

template <BaseEmitter E> void fence(E& e, const Insn&) { e.fence(); }
template <BaseEmitter E> void fence_tso(E& e, const Insn&) { e.fence(); }
template <BaseEmitter E> void fence_i(E& e, const Insn&) { e.fence_i(); }
// clang-format on

}  // namespace castor::semantics
