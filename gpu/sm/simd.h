// The interpreter's emitter: registers, control and the operations among lanes, on top of arithmetic and memory.
#pragma once

#include "gpu/sm/simd_memory.h"

namespace castor::sm::CASTOR_LEVEL {

using semantics::BarrierOp;
using semantics::ReduceOp;
using semantics::SystemOp;

/// Where execution goes after the instruction.
enum class Flow : std::uint8_t { next, branch, jump, jump_lanes };

template <bool All, bool Exact>
struct Simd : MemoryOps<All, Exact> {
  using Base = MemoryOps<All, Exact>;
  using Base::x, Base::mask, Base::i64, Base::i32, Base::stopped;
  using I64 = U64;
  using I32 = U32;
  using Bool = CASTOR_LEVEL::Bool;
  using Base::fset;

  const CodeOp* op;
  const isa::Decoded& insn;
  Flow flow = Flow::next;
  LaneMask taken = 0;
  std::uint64_t target = 0;

  CASTOR_INLINE Simd(Exec& exec, const CodeOp* at) : Base(exec), op(at), insn(at->insn) {}
  CASTOR_INLINE Simd(Exec& exec, const isa::Decoded& decoded) : Base(exec), op(nullptr), insn(decoded) {}

  CASTOR_INLINE I64 reg(unsigned n) { return load_row<U64>(x.x[n]); }
  CASTOR_INLINE void set(unsigned n, I64 value) {
    if (!stopped) Base::write(x.x[n == 0 ? WarpState::kBucket : n], value);
  }
  CASTOR_INLINE void set(unsigned n, Bool value) { set(n, this->to_i64(value)); }

  // Control.
  CASTOR_INLINE I64 pc() { return i64(x.pc_of(op)); }
  CASTOR_INLINE I64 next_pc() { return i64(x.pc_of(op) + 4); }
  CASTOR_INLINE void branch(Bool p, std::int64_t offset) {
    flow = Flow::branch;
    taken = to_bits(p) & mask();
    target = x.pc_of(op) + static_cast<std::uint64_t>(offset);
  }
  CASTOR_INLINE void jump(std::int64_t offset) {
    flow = Flow::jump;
    target = x.pc_of(op) + static_cast<std::uint64_t>(offset);
  }
  CASTOR_INLINE void jump_to(I64 address) {
    const unsigned lane = All ? 0 : lowest(x.mask);
    target = address[lane];
    flow = Flow::jump;
    if (Base::everywhere(truth(address == target))) return;
    flow = Flow::jump_lanes;
    Base::write(x.warp->pc, address);
  }
  CASTOR_INLINE I64 csr_read(unsigned number) {
    alignas(64) std::uint64_t value[kWarpLanes];
    store_row(value, i64(0));
    if (!read_csr(x, number, mask(), value)) stopped = true;
    return load_row<U64>(value);
  }
  CASTOR_INLINE void csr_write(unsigned number, I64 v) {
    alignas(64) std::uint64_t value[kWarpLanes];
    store_row(value, v);
    if (!stopped && !write_csr(x, number, mask(), value)) stopped = true;
  }
  CASTOR_INLINE void fault(FaultCause cause, I64 detail) {
    set_fault(x, cause, mask(), static_cast<std::uint16_t>(detail[lowest(mask())]));
    stopped = true;
  }
  CASTOR_INLINE void leave(Stop why) {
    x.stop = why;
    stopped = true;
  }
  CASTOR_INLINE void system(SystemOp what) {
    switch (what) {
      case SystemOp::exit: x.warp->exited |= mask(); return leave(Stop::exited);
      case SystemOp::yield: return leave(Stop::yielded);
      case SystemOp::ebreak: return fault(FaultCause::breakpoint, i64(0));
      default: return fault(FaultCause::illegal_instruction, i64(0));
    }
  }
  CASTOR_INLINE void nanosleep(I64) { leave(Stop::yielded); }
  CASTOR_INLINE void fence_i() { leave(Stop::fence_i); }
  CASTOR_INLINE void barrier(BarrierOp what, I64 id, Bool predicate, unsigned d) {
    store_row(x.barrier_id, id);
    x.barrier_uniform = Base::everywhere(truth(id == id[lowest(mask())]));
    x.barrier_predicate = to_bits(predicate);
    x.barrier_op = static_cast<std::uint8_t>(what);
    x.barrier_d = static_cast<std::uint8_t>(d == 0 ? WarpState::kBucket : d);
    leave(Stop::barrier);
  }

  // The lanes of the warp.
  CASTOR_INLINE void converge(I64 masks) {
    const std::uint64_t first = masks[lowest(mask())];
    if (Base::everywhere(truth(masks == first)) && (first & x.warp->live()) == mask()) return;
    alignas(64) std::uint64_t operand[kWarpLanes];
    store_row(operand, masks);
    if (!converge_lanes(x, insn, operand)) stopped = true;
  }
  CASTOR_INLINE I64 lane() { return lane_numbers(); }
  CASTOR_INLINE I64 executing() { return i64(mask()); }
  CASTOR_INLINE I64 ballot(Bool p) { return i64(to_bits(p) & mask()); }
  CASTOR_INLINE I64 match(I64 v) {
    alignas(64) std::uint64_t value[kWarpLanes];
    store_row(value, v);
    I64 result = i64(0);
    for (LaneMask rest = mask(); rest != 0;) {
      const LaneMask same = to_bits(truth(v == value[lowest(rest)])) & mask();
      result = choose(from_bits(same), i64(same), result);
      rest &= ~same;
    }
    return result;
  }
  CASTOR_INLINE I64 shuffle(I64 v, I64 from) {
    alignas(64) std::uint64_t value[kWarpLanes];
    store_row(value, v);
    from &= 31;
    const I64 got = gather<8>(splat<U64>(reinterpret_cast<std::uint64_t>(value)) + from * 8, kAllLanes);
    if constexpr (All) return got;
    return choose(truth(((i64(x.mask) >> from) & 1) != 0), got, i64(0));
  }
  CASTOR_INLINE std::uint32_t reduce_row(ReduceOp what, U32 v, Bool members) {
    const auto with = [&](std::uint32_t identity) { return choose(members, v, i32(identity)); };
    switch (what) {
      case ReduceOp::add: return __builtin_reduce_add(with(0));
      case ReduceOp::min: return static_cast<std::uint32_t>(__builtin_reduce_min(cast<S32>(with(0x7fff'ffff))));
      case ReduceOp::max: return static_cast<std::uint32_t>(__builtin_reduce_max(cast<S32>(with(0x8000'0000))));
      case ReduceOp::minu: return __builtin_reduce_min(with(~0u));
      case ReduceOp::maxu: return __builtin_reduce_max(with(0));
      case ReduceOp::and_: return __builtin_reduce_and(with(~0u));
      case ReduceOp::or_: return __builtin_reduce_or(with(0));
      case ReduceOp::xor_: return __builtin_reduce_xor(with(0));
    }
    return 0;
  }
  CASTOR_INLINE I32 reduce(ReduceOp what, I32 v, I64 masks) {
    alignas(64) std::uint64_t operand[kWarpLanes];
    store_row(operand, masks);
    I32 result = i32(0);
    for (LaneMask rest = mask(); rest != 0;) {
      const std::uint64_t group = operand[lowest(rest)];
      const LaneMask same = to_bits(truth(masks == group)) & mask();
      const LaneMask members = static_cast<LaneMask>(group) & mask();
      result = choose(from_bits(same), i32(reduce_row(what, v, from_bits(members))), result);
      rest &= ~same;
    }
    return result;
  }
};

}  // namespace castor::sm::CASTOR_LEVEL
