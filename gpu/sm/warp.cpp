// One warp's turn: groups of lanes, what happens when a group stops, and the guarantee that each gets its turn.
#include <algorithm>

#include "gpu/abi/address_space.h"
#include "gpu/sm/core.h"

namespace castor::sm {

namespace {

unsigned lowest(LaneMask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

std::uint64_t depth(const WarpState& w, unsigned lane) { return (w.x[2][lane] - 1) & (CASTOR_LOCAL_STRIDE - 1); }

/// The code cache may have dropped the page.
void leave_page(Exec& x) {
  x.page = nullptr;
  x.page_pc = ~0ull;
}

void bind(Exec& x, Warp& warp, const SmSpec& spec) {
  Cta& cta = *warp.cta;
  WarpState& w = warp.state;
  x.warp = &w;
  x.x = w.x;
  x.f_low = w.f_low;
  x.f_high = w.f_high;
  x.window = warp.window;
  x.ran = warp.ran;
  x.owner = &warp;
  x.context = cta.context;
  x.spec = &spec;
  leave_page(x);
  x.tlb = &cta.context->tlb;
  x.shared.base = cta.shared_base(spec);
  x.shared.size = cta.launch.shared_total();
  x.shared.to_host = reinterpret_cast<std::uint64_t>(cta.shared.data()) - x.shared.base;
  x.local_window = cta.local_base(spec, warp.number * kWarpLanes);
  x.local_bytes = cta.local_bytes;
  x.local = cta.local.data() + std::size_t{warp.number} * kWarpLanes * cta.local_bytes;
}

void stamp(Warp& warp, LaneMask lanes) {
  ++warp.turns;
  for (; lanes != 0; lanes &= lanes - 1) warp.last_turn[lowest(lanes)] = warp.turns;
}

/// A slice is over. If lanes could have run and did not, those that have waited longest get the next slice for themselves,
/// and after it the usual choice applies again. After a yield that is all lanes but the ones that yielded.
void rotate(Exec& x, Warp& warp, bool yielded) {
  const WarpState& w = warp.state;
  const LaneMask waiting = w.runnable() & ~(yielded ? x.mask : x.ran);
  const bool was_for_some = x.window != kAllLanes;
  stamp(warp, x.ran);
  x.ran = 0;
  x.window = kAllLanes;
  if (waiting == 0 || (was_for_some && !yielded)) return;
  unsigned oldest = lowest(waiting);
  for (LaneMask rest = waiting; rest != 0; rest &= rest - 1) {
    if (warp.last_turn[lowest(rest)] < warp.last_turn[oldest]) oldest = lowest(rest);
  }
  x.window = 0;
  for (LaneMask rest = waiting; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if (w.pc[lane] == w.pc[oldest] && depth(w, lane) == depth(w, oldest)) x.window |= 1u << lane;
  }
}

/// Lanes have ended: what waited for them may go on.
void bury(Exec& x, Warp& warp, const Engine& engine) {
  Cta& cta = *warp.cta;
  cta.live_threads -= static_cast<std::uint32_t>(__builtin_popcount(x.mask));
  release_sync(x, warp, engine);
  recheck_barriers(cta);
}

}  // namespace

Turn run_warp(Exec& x, Warp& warp, const Engine& engine, const SmSpec& spec, std::int64_t budget) {
  bind(x, warp, spec);
  const std::uint64_t start = x.issued;
  Turn turn = Turn::over;
  for (bool on = true; on;) {
    const std::int64_t left = budget - static_cast<std::int64_t>(x.issued - start);
    if (left <= 0) break;
    x.budget = std::min(left, warp.slice_left);
    const std::uint64_t before = x.issued;
    engine.run(&x);
    warp.slice_left -= static_cast<std::int64_t>(x.issued - before);
    if (x.stop == Stop::yielded || warp.slice_left <= 0) {
      rotate(x, warp, x.stop == Stop::yielded);
      warp.slice_left = spec.lane_slice;
    }
    switch (x.stop) {
      case Stop::slice: break;
      case Stop::yielded: on = x.window != kAllLanes; break;  // nobody else in this warp: another warp's turn
      case Stop::parked: release_sync(x, warp, engine); break;
      case Stop::barrier:
        if (!arrive_at_barriers(x, *warp.cta)) turn = Turn::fault;
        on = turn != Turn::fault;
        break;
      case Stop::exited:
        bury(x, warp, engine);
        on = warp.state.live() != 0;
        break;
      case Stop::fence_i:
        x.context->code.revalidate();
        leave_page(x);
        break;
      case Stop::fault:
        turn = Turn::fault;
        on = false;
        break;
      case Stop::blocked: on = false; break;
    }
  }
  warp.window = x.window;
  warp.ran = x.ran;
  return turn;
}

}  // namespace castor::sm
