// The emitter with one lane: a hart executes each meaning as it is written. Writes take effect in `commit`, once it is
// known that the instruction does not trap.
#pragma once

#include <type_traits>

#include "gpu/hart/csr_file.h"
#include "gpu/hart/hart.h"
#include "gpu/hart/memory.h"
#include "gpu/hart/scalar_floats.h"
#include "gpu/hart/scalar_integers.h"
#include "gpu/semantics/emitter.h"

namespace castor::hart {

class ScalarEmitter : public ScalarIntegers, public ScalarFloats<ScalarEmitter> {
 public:
  using I64 = std::uint64_t;
  using Rm = semantics::Rm;
  using AmoOp = semantics::AmoOp;
  using SystemOp = semantics::SystemOp;
  template <unsigned Bytes>
  using Word = std::conditional_t<
      Bytes == 1, std::uint8_t,
      std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;
  using ScalarIntegers::select;

  ScalarEmitter(State& state, CsrFile& csrs, Memory& memory) : state_(state), csrs_(csrs), memory_(memory) {}

  void begin() {
    next_pc_ = state_.pc + 4;
    written_x_ = 0;
    writes_f_ = trapped_ = waits_ = flushes_ = returns_ = false;
    flags_ = 0;
  }
  bool trapped() const { return trapped_; }
  Trap trap() const { return trap_; }
  std::uint64_t trap_value() const { return trap_value_; }
  bool waits() const { return waits_; }      // a wfi
  bool flushes() const { return flushes_; }  // a fence.i

  /// Makes the instruction's effects on registers, flags and pc architectural.
  void commit() {
    if (written_x_ != 0) state_.x[written_x_] = x_value_;
    if (writes_f_) state_.f[written_f_] = f_value_;
    state_.fcsr |= flags_;
    state_.pc = next_pc_;
    if (returns_) csrs_.trap_return();
  }

  I64 reg(unsigned n) const { return state_.x[n]; }
  void set(unsigned n, I64 value) {
    written_x_ = n;
    x_value_ = value;
  }
  void set(unsigned n, bool value) { set(n, I64{value}); }

  F16 freg16(unsigned n) const { return unboxed<fp::Half>(n); }
  F32 freg32(unsigned n) const { return unboxed<fp::Single>(n); }
  F64 freg64(unsigned n) const { return {state_.f[n]}; }
  I64 freg_bits(unsigned n) const { return state_.f[n]; }
  void fset(unsigned n, F16 value) { fset_bits(n, value.bits | ~I64{0xffff}); }
  void fset(unsigned n, F32 value) { fset_bits(n, value.bits | ~I64{0xffff'ffff}); }
  void fset(unsigned n, F64 value) { fset_bits(n, value.bits); }
  void fset_bits(unsigned n, I64 value) {
    writes_f_ = true;
    written_f_ = n;
    f_value_ = value;
  }

  Rm rounding(Rm rm) {
    if (rm != Rm::dynamic) return rm;
    const unsigned frm = state_.fcsr >> 5 & 7;
    if (frm > 4) illegal();
    return static_cast<Rm>(frm);
  }
  void raise(std::uint8_t flags) { flags_ |= flags; }

  template <unsigned Bytes, bool Signed>
  I64 load(semantics::MemType<Bytes, Signed>, I64 address) {
    if (address % Bytes != 0) return stop(Trap::load_misaligned, address);
    const auto value = memory_.load<Word<Bytes>>(address);
    return value ? extend<Bytes, Signed>(*value) : stop(Trap::load_fault, address);
  }
  template <unsigned Bytes, bool Signed>
  void store(semantics::MemType<Bytes, Signed>, I64 address, I64 value) {
    if (address % Bytes != 0) {
      stop(Trap::store_misaligned, address);
    } else if (!memory_.store(address, static_cast<Word<Bytes>>(value))) {
      stop(Trap::store_fault, address);
    }
  }

  template <unsigned Bytes, bool Signed>
  I64 amo(AmoOp op, semantics::MemType<Bytes, Signed>, I64 address, I64 operand) {
    using T = Word<Bytes>;
    T* host = atomic_host<Bytes>(address);
    if (host == nullptr) return 0;
    T old = __atomic_load_n(host, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(host, &old, combine(op, old, static_cast<T>(operand)), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
    return extend<Bytes, true>(old);
  }
  template <unsigned Bytes, bool Signed>
  I64 cas(semantics::MemType<Bytes, Signed>, I64 address, I64 expected, I64 desired) {
    auto* host = atomic_host<Bytes>(address);
    if (host == nullptr) return 0;
    auto old = static_cast<Word<Bytes>>(expected);
    __atomic_compare_exchange_n(host, &old, static_cast<Word<Bytes>>(desired), false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return extend<Bytes, true>(old);
  }
  template <unsigned Bytes, bool Signed>
  I64 lr(semantics::MemType<Bytes, Signed> type, I64 address) {
    const I64 value = load(type, address);
    if (trapped_) return 0;
    state_.reserved = true;
    state_.reserved_address = address;
    state_.reserved_value = value;
    return extend<Bytes, true>(static_cast<Word<Bytes>>(value));
  }
  /// Stores if memory still holds what lr read: a store of the same value by another in between is not noticed.
  template <unsigned Bytes, bool Signed>
  I64 sc(semantics::MemType<Bytes, Signed>, I64 address, I64 value) {
    auto* host = atomic_host<Bytes>(address);
    if (host == nullptr) return 0;
    const bool reserved = state_.reserved && state_.reserved_address == address;
    state_.reserved = false;
    auto old = static_cast<Word<Bytes>>(state_.reserved_value);
    const bool stored = reserved && __atomic_compare_exchange_n(host, &old, static_cast<Word<Bytes>>(value), false,
                                                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return stored ? 0 : 1;
  }
  void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
  void fence_i() { flushes_ = true; }

  I64 pc() const { return state_.pc; }
  I64 next_pc() const { return state_.pc + 4; }
  void branch(bool taken, std::int64_t offset) {
    if (taken) jump(offset);
  }
  void jump(std::int64_t offset) { jump_to(state_.pc + static_cast<I64>(offset)); }
  void jump_to(I64 address) {
    if (address % 4 != 0) stop(Trap::fetch_misaligned, address);
    next_pc_ = address;
  }

  I64 csr_read(unsigned number) {
    const auto value = csrs_.read(number);
    if (!value) illegal();
    return value.value_or(0);
  }
  void csr_write(unsigned number, I64 value) {
    if (!trapped_ && !csrs_.write(number, value)) illegal();
  }

  void fault(FaultCause, I64) { illegal(); }
  void nanosleep(I64) { illegal(); }
  void system(SystemOp op) {
    switch (op) {
      case SystemOp::ecall: stop(Trap::ecall_m, 0); break;
      case SystemOp::ebreak: stop(Trap::breakpoint, state_.pc); break;
      case SystemOp::wfi: waits_ = true; break;
      case SystemOp::mret:
        next_pc_ = state_.mepc;
        returns_ = true;
        break;
      default: illegal();
    }
  }
  /// mtval of an illegal instruction is its word, which the hart knows.
  void illegal() { stop(Trap::illegal, 0); }

 private:
  template <class F>
  Float<F> unboxed(unsigned n) const {
    constexpr I64 kBox = ~I64{0} << (8 * sizeof(fp::Bits<F>));
    return {(state_.f[n] & kBox) == kBox ? static_cast<fp::Bits<F>>(state_.f[n]) : F::nan};
  }
  template <unsigned Bytes, bool Signed>
  static I64 extend(Word<Bytes> value) {
    if constexpr (Signed) {
      return static_cast<I64>(static_cast<std::int64_t>(static_cast<std::make_signed_t<Word<Bytes>>>(value)));
    } else {
      return value;
    }
  }
  /// Atomics work on RAM alone.
  template <unsigned Bytes>
  Word<Bytes>* atomic_host(I64 address) {
    if (address % Bytes != 0) {
      stop(Trap::store_misaligned, address);
      return nullptr;
    }
    std::byte* host = memory_.ram(address, Bytes, true);
    if (host == nullptr) stop(Trap::store_fault, address);
    return reinterpret_cast<Word<Bytes>*>(host);
  }
  template <class T>
  static T combine(AmoOp op, T old, T operand) {
    switch (op) {
      case AmoOp::add: return old + operand;
      case AmoOp::and_: return old & operand;
      case AmoOp::or_: return old | operand;
      case AmoOp::xor_: return old ^ operand;
      case AmoOp::min: return lt(operand, old) ? operand : old;
      case AmoOp::max: return lt(old, operand) ? operand : old;
      case AmoOp::minu: return operand < old ? operand : old;
      case AmoOp::maxu: return old < operand ? operand : old;
      default: return operand;  // swap; the rest belongs to Xcastor
    }
  }
  /// The first trap of an instruction counts.
  I64 stop(Trap trap, I64 value) {
    if (!trapped_) {
      trapped_ = true;
      trap_ = trap;
      trap_value_ = value;
    }
    return 0;
  }

  State& state_;
  CsrFile& csrs_;
  Memory& memory_;
  I64 next_pc_ = 0, x_value_ = 0, f_value_ = 0, trap_value_ = 0;
  unsigned written_x_ = 0, written_f_ = 0;
  Trap trap_{};
  std::uint8_t flags_ = 0;
  bool writes_f_ = false, trapped_ = false, waits_ = false, flushes_ = false, returns_ = false;
};

}  // namespace castor::hart
