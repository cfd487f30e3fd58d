// Waiting: operations with a lane mask, and CTA barriers. A waiting lane's PC stays at the instruction until it is let go.
#include <algorithm>
#include <cstring>

#include "gpu/semantics/emitter.h"
#include "gpu/sm/core.h"

namespace castor::sm {

namespace {

unsigned lowest(LaneMask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

/// Whether every lane that `masks[lane]` names is in `group` and names the same lanes.
bool complete(const std::uint64_t* masks, LaneMask live, LaneMask group, unsigned lane) {
  const LaneMask need = static_cast<LaneMask>(masks[lane]) & live;
  if ((need & ~group) != 0) return false;
  for (LaneMask rest = need; rest != 0; rest &= rest - 1) {
    if (masks[lowest(rest)] != masks[lane]) return false;
  }
  return true;
}

SyncSlot slot_of(const Exec& x, const isa::Decoded& insn, unsigned lane, LaneMask mask) {
  SyncSlot slot;
  slot.op = static_cast<std::uint16_t>(insn.op);
  slot.d = insn.d == 0 ? WarpState::kBucket : insn.d;
  slot.mask = mask;
  slot.a = x.x[insn.a][lane];
  slot.b = x.x[insn.b][lane];
  slot.c = x.x[insn.c][lane];
  return slot;
}

/// Lanes waiting with the same operation and mask as `lane`, if all that the mask names are there; else none.
LaneMask gathered(const WarpState& w, unsigned lane) {
  const SyncSlot& mine = w.sync[lane];
  const LaneMask need = mine.mask & w.live();
  for (LaneMask rest = need; rest != 0; rest &= rest - 1) {
    const unsigned other = lowest(rest);
    if ((w.at_sync >> other & 1) == 0 || w.sync[other].op != mine.op || w.sync[other].mask != mine.mask) return 0;
  }
  return need;
}

/// Runs the operation for the group on a scratch register file: the lanes may have come from instructions that name
/// different registers.
void run_gathered(Exec& x, Warp& warp, LaneMask group, const Engine& engine) {
  constexpr std::uint8_t kA = 1, kB = 2, kC = 3, kD = 4;
  alignas(64) std::uint64_t scratch[WarpState::kBucket + 1][kWarpLanes];
  std::memset(scratch, 0, 5 * sizeof scratch[0]);
  WarpState& w = warp.state;
  isa::Decoded insn;
  insn.op = static_cast<isa::Op>(w.sync[lowest(group)].op);
  insn.d = kD, insn.a = kA, insn.b = kB, insn.c = kC;
  for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    scratch[kA][lane] = w.sync[lane].a;
    scratch[kB][lane] = w.sync[lane].b;
    scratch[kC][lane] = w.sync[lane].c;
  }
  x.x = scratch;
  x.mask = group;
  w.at_sync &= ~group;
  engine.run_sync(&x, insn);
  x.x = w.x;
  for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    w.x[w.sync[lane].d][lane] = scratch[kD][lane];
    w.pc[lane] += 4;
  }
}

template <class T>
bool all_equal(const T (&row)[kWarpLanes], T value) {
  unsigned different = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) different |= row[lane] != value;
  return different == 0;
}

/// Lanes of a warp that wait at the barrier get its result and go on. Usually that is the whole warp at one instruction.
void let_go(WarpState& w, unsigned id, std::uint64_t result) {
  if (w.at_barrier == kAllLanes && all_equal(w.barrier_id, static_cast<std::uint8_t>(id)) &&
      all_equal(w.barrier_d, w.barrier_d[0])) {
    w.at_barrier = 0;
    std::fill_n(w.x[w.barrier_d[0]], kWarpLanes, result);
    for (std::uint64_t& pc : w.pc) pc += 4;
    return;
  }
  for (LaneMask rest = w.at_barrier; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if (w.barrier_id[lane] != id) continue;
    w.at_barrier &= ~(1u << lane);
    w.x[w.barrier_d[lane]][lane] = result;
    w.pc[lane] += 4;
  }
}

void release(Cta& cta, unsigned id) {
  using semantics::BarrierOp;
  Barrier& barrier = cta.barriers[id];
  std::uint64_t result = barrier.yes;
  if (static_cast<BarrierOp>(barrier.op) == BarrierOp::and_) result = barrier.yes == barrier.arrived;
  if (static_cast<BarrierOp>(barrier.op) == BarrierOp::or_) result = barrier.yes != 0;
  for (unsigned i = 0; i < cta.warps_used; ++i) let_go(cta.warps[i]->state, id, result);
  barrier = Barrier{};
}

bool full(const Cta& cta, const Barrier& barrier) {
  return barrier.arrived != 0 && barrier.arrived >= (barrier.expected != 0 ? barrier.expected : cta.live_threads);
}

/// A whole warp with the same operands, none of which is the last arrival but its last lane: the usual case, without a loop.
bool arrive_together(const Exec& x, Cta& cta) {
  using semantics::BarrierOp;
  const std::uint64_t operand = x.barrier_id[0];
  if (x.mask != kAllLanes || !x.barrier_uniform || static_cast<BarrierOp>(x.barrier_op) == BarrierOp::arrive)
    return false;
  const unsigned id = operand & 0xff;
  if (id >= kBarriers) return false;
  Barrier& barrier = cta.barriers[id];
  const auto expected = barrier.arrived == 0 ? static_cast<std::uint32_t>(operand >> 8) : barrier.expected;
  if (barrier.arrived + kWarpLanes > (expected != 0 ? expected : cta.live_threads)) return false;
  barrier.expected = expected;
  barrier.arrived += kWarpLanes;
  barrier.yes += static_cast<std::uint32_t>(__builtin_popcount(x.barrier_predicate));
  barrier.op = x.barrier_op;
  WarpState& w = *x.warp;
  w.at_barrier = kAllLanes;
  std::fill_n(w.barrier_id, kWarpLanes, static_cast<std::uint8_t>(id));
  std::fill_n(w.barrier_d, kWarpLanes, x.barrier_d);
  if (full(cta, barrier)) release(cta, id);
  return true;
}

}  // namespace

bool converge_lanes(Exec& x, const isa::Decoded& insn, const std::uint64_t* masks) {
  WarpState& w = *x.warp;
  LaneMask outsiders = 0;
  bool ready = true;
  for (LaneMask rest = x.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if ((masks[lane] >> lane & 1) == 0) outsiders |= 1u << lane;
    if (ready && !complete(masks, w.live(), x.mask, lane)) ready = false;
  }
  if (outsiders != 0) {
    set_fault(x, FaultCause::illegal_instruction, outsiders);
    return false;
  }
  if (ready) return true;
  for (LaneMask rest = x.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    w.sync[lane] = slot_of(x, insn, lane, static_cast<LaneMask>(masks[lane]));
  }
  w.at_sync |= x.mask;
  x.stop = Stop::parked;
  return false;
}

void release_sync(Exec& x, Warp& warp, const Engine& engine) {
  for (LaneMask rest = warp.state.at_sync; rest != 0; rest &= rest - 1) {
    const LaneMask group = gathered(warp.state, lowest(rest));
    if (group == 0) continue;
    run_gathered(x, warp, group, engine);
    rest = (rest & ~group) | (rest & -rest);  // the loop drops the lowest lane itself
  }
}

bool arrive_at_barriers(Exec& x, Cta& cta) {
  using semantics::BarrierOp;
  if (arrive_together(x, cta)) return true;
  WarpState& w = *x.warp;
  for (LaneMask rest = x.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if ((x.barrier_id[lane] & 0xff) < kBarriers) continue;
    set_fault(x, FaultCause::illegal_instruction, x.mask, static_cast<std::uint16_t>(x.barrier_id[lane] & 0xff));
    return false;
  }
  const bool waits = static_cast<BarrierOp>(x.barrier_op) != BarrierOp::arrive;
  for (LaneMask rest = x.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest), id = x.barrier_id[lane] & 0xff;
    Barrier& barrier = cta.barriers[id];
    if (barrier.arrived++ == 0) barrier.expected = static_cast<std::uint32_t>(x.barrier_id[lane] >> 8);
    barrier.yes += x.barrier_predicate >> lane & 1;
    if (waits) {
      barrier.op = x.barrier_op;
      w.at_barrier |= 1u << lane;
      w.barrier_id[lane] = static_cast<std::uint8_t>(id);
      w.barrier_d[lane] = x.barrier_d;
    } else {
      w.pc[lane] += 4;
    }
    if (full(cta, barrier)) release(cta, id);
  }
  return true;
}

void recheck_barriers(Cta& cta) {
  for (unsigned id = 0; id < kBarriers; ++id) {
    if (cta.barriers[id].expected == 0 && full(cta, cta.barriers[id])) release(cta, id);
  }
}

}  // namespace castor::sm
