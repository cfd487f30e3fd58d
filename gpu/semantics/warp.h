// Xcastor chapter: operations among the lanes of a warp. Each starts with `converge`, so that the lanes its mask names are
// there, and then stays within each lane's own mask.
#pragma once

#include "gpu/semantics/emitter.h"

namespace castor::semantics {

/// Lane that a shuffle reads and whether it lies in range, as PTX defines them (shfl.sync). `c` = segment mask << 8 | clamp.
template <class E>
struct ShuffleSource {
  typename E::I64 lane;
  typename E::Bool in_range;
};

enum class Shuffle : std::uint8_t { idx, up, down, bfly };

template <Shuffle kind, Emitter E>
[[gnu::always_inline]] inline ShuffleSource<E> shuffle_source(E& e, typename E::I64 b, typename E::I64 c) {
  using I64 = typename E::I64;
  const I64 five = e.i64(31), own = e.lane();
  const I64 operand = e.and_(b, five), clamp = e.and_(c, five), segment = e.and_(e.shr(c, e.i64(8)), five);
  const I64 low = e.and_(own, segment), inner = e.and_(e.not_(segment), five);
  const I64 bound = e.or_(low, e.and_(clamp, inner));
  I64 lane = own;
  if constexpr (kind == Shuffle::idx) lane = e.or_(low, e.and_(operand, inner));
  if constexpr (kind == Shuffle::up) lane = e.sub(own, operand);
  if constexpr (kind == Shuffle::down) lane = e.add(own, operand);
  if constexpr (kind == Shuffle::bfly) lane = e.xor_(own, operand);
  const typename E::Bool beyond = kind == Shuffle::up ? e.lt(lane, bound) : e.lt(bound, lane);
  return {e.select(beyond, own, lane), e.logical_not(beyond)};
}

template <Shuffle kind, Emitter E>
[[gnu::always_inline]] inline void shuffle(E& e, const Insn& x) {
  const typename E::I64 c = e.reg(x.c), value = e.reg(x.a);
  e.converge(e.zext32(c));
  e.set(x.d, e.shuffle(value, shuffle_source<kind>(e, e.reg(x.b), e.shr(c, e.i64(32))).lane));
}

template <Shuffle kind, Emitter E>
[[gnu::always_inline]] inline void shuffle_predicate(E& e, const Insn& x) {
  e.set(x.d, shuffle_source<kind>(e, e.reg(x.a), e.shr(e.reg(x.b), e.i64(32))).in_range);
}

template <Emitter E>
void shfl_idx(E& e, const Insn& x) {
  shuffle<Shuffle::idx>(e, x);
}
template <Emitter E>
void shfl_up(E& e, const Insn& x) {
  shuffle<Shuffle::up>(e, x);
}
template <Emitter E>
void shfl_down(E& e, const Insn& x) {
  shuffle<Shuffle::down>(e, x);
}
template <Emitter E>
void shfl_bfly(E& e, const Insn& x) {
  shuffle<Shuffle::bfly>(e, x);
}
template <Emitter E>
void shflp_idx(E& e, const Insn& x) {
  shuffle_predicate<Shuffle::idx>(e, x);
}
template <Emitter E>
void shflp_up(E& e, const Insn& x) {
  shuffle_predicate<Shuffle::up>(e, x);
}
template <Emitter E>
void shflp_down(E& e, const Insn& x) {
  shuffle_predicate<Shuffle::down>(e, x);
}
template <Emitter E>
void shflp_bfly(E& e, const Insn& x) {
  shuffle_predicate<Shuffle::bfly>(e, x);
}

/// Lanes of the own mask where a != 0.
template <Emitter E>
[[gnu::always_inline]] inline typename E::I64 voters(E& e, const Insn& x, typename E::I64 mask) {
  return e.and_(e.ballot(e.ne(e.reg(x.a), e.i64(0))), mask);
}

/// The mask operand, without the lanes that have exited: those no longer count.
template <Emitter E>
[[gnu::always_inline]] inline typename E::I64 gather(E& e, unsigned mask_register) {
  const typename E::I64 mask = e.zext32(e.reg(mask_register));
  e.converge(mask);
  return e.and_(mask, e.executing());
}

template <Emitter E>
void vote_all(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b);
  e.set(x.d, e.eq(voters(e, x, mask), mask));
}
template <Emitter E>
void vote_any(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b);
  e.set(x.d, e.ne(voters(e, x, mask), e.i64(0)));
}
template <Emitter E>
void vote_uni(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b), yes = voters(e, x, mask);
  e.set(x.d, e.logical_or(e.eq(yes, mask), e.eq(yes, e.i64(0))));
}
template <Emitter E>
void vote_ballot(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b);
  e.set(x.d, voters(e, x, mask));
}
template <Emitter E>
void match_any(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b);
  e.set(x.d, e.and_(e.match(e.reg(x.a)), mask));
}
template <Emitter E>
void match_all(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b), same = e.and_(e.match(e.reg(x.a)), mask);
  e.set(x.d, e.select(e.eq(same, mask), mask, e.i64(0)));
}
template <Emitter E>
void elect(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.a);
  e.set(x.d, e.ctz(mask));
}
template <Emitter E>
void activemask(E& e, const Insn& x) {
  e.set(x.d, e.executing());
}

template <ReduceOp op, Emitter E>
[[gnu::always_inline]] inline void reduce(E& e, const Insn& x) {
  const typename E::I64 mask = gather(e, x.b);
  e.set(x.d, e.sext(e.reduce(op, e.low32(e.reg(x.a)), mask)));
}
template <Emitter E>
void redux_add(E& e, const Insn& x) {
  reduce<ReduceOp::add>(e, x);
}
template <Emitter E>
void redux_min(E& e, const Insn& x) {
  reduce<ReduceOp::min>(e, x);
}
template <Emitter E>
void redux_max(E& e, const Insn& x) {
  reduce<ReduceOp::max>(e, x);
}
template <Emitter E>
void redux_minu(E& e, const Insn& x) {
  reduce<ReduceOp::minu>(e, x);
}
template <Emitter E>
void redux_maxu(E& e, const Insn& x) {
  reduce<ReduceOp::maxu>(e, x);
}
template <Emitter E>
void redux_and(E& e, const Insn& x) {
  reduce<ReduceOp::and_>(e, x);
}
template <Emitter E>
void redux_or(E& e, const Insn& x) {
  reduce<ReduceOp::or_>(e, x);
}
template <Emitter E>
void redux_xor(E& e, const Insn& x) {
  reduce<ReduceOp::xor_>(e, x);
}

}  // namespace castor::semantics
