// Fault records: which thread, where, and for a deadlock who waits for whom.
#include <fmt/format.h>

#include "gpu/isa/insn.h"
#include "gpu/sm/core.h"

namespace castor::sm {

namespace {

unsigned lowest(LaneMask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

SmFault place(const Warp& warp, const SmSpec& spec, LaneMask lanes) {
  const CtaLaunch& cta = warp.cta->launch;
  const unsigned lane = lanes != 0 ? lowest(lanes) : 0;
  SmFault f;
  f.lanes = lanes;
  f.pc = VirtAddr{warp.state.pc[lane]};
  f.context = cta.context;
  f.sm = static_cast<std::uint16_t>(spec.id);
  f.warp = static_cast<std::uint8_t>(warp.number);
  f.block = cta.index;
  f.thread = {warp.tid[0][lane], warp.tid[1][lane], warp.tid[2][lane]};
  f.kernel = cta.kernel;
  f.cookie = cta.cookie;
  return f;
}

std::string waiting(const Warp& warp) {
  const WarpState& w = warp.state;
  std::string text;
  const auto say = [&](LaneMask lanes, std::string_view what) {
    text += fmt::format("{}warp {} lanes {:#010x} wait at {} (pc {:#x})", text.empty() ? "" : "; ", warp.number, lanes,
                        what, w.pc[lowest(lanes)]);
  };
  for (LaneMask rest = w.at_barrier; rest != 0;) {
    const unsigned lane = lowest(rest);
    LaneMask same = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const unsigned other = lowest(others);
      if (w.barrier_id[other] == w.barrier_id[lane] && w.pc[other] == w.pc[lane]) same |= 1u << other;
    }
    say(same, fmt::format("barrier {}", w.barrier_id[lane]));
    rest &= ~same;
  }
  for (LaneMask rest = w.at_sync; rest != 0;) {
    const SyncSlot& slot = w.sync[lowest(rest)];
    LaneMask same = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const unsigned other = lowest(others);
      if (w.sync[other].op == slot.op && w.sync[other].mask == slot.mask) same |= 1u << other;
    }
    say(same, fmt::format("{} for lanes {:#010x}", isa::mnemonic(static_cast<isa::Op>(slot.op)), slot.mask));
    rest &= ~same;
  }
  return text;
}

}  // namespace

SmFault describe_fault(const Exec& x, const Warp& warp, const SmSpec& spec) {
  SmFault f = place(warp, spec, x.fault_lanes);
  f.fault = x.fault;
  f.detail = x.fault_detail;
  return f;
}

SmFault describe_deadlock(const Cta& cta, const SmSpec& spec) {
  const Warp* first = nullptr;
  std::string text;
  for (unsigned i = 0; i < cta.warps_used; ++i) {
    const Warp& warp = *cta.warps[i];
    if (warp.state.live() == 0) continue;
    if (first == nullptr) first = &warp;
    text += (text.empty() ? "" : "; ") + waiting(warp);
  }
  const WarpState& w = first->state;
  const LaneMask lanes = w.at_barrier != 0 ? w.at_barrier : w.at_sync;
  SmFault f = place(*first, spec, lanes);
  f.fault.cause = FaultCause::barrier_deadlock;
  if (w.at_barrier != 0) f.detail = w.barrier_id[lowest(lanes)];
  f.explanation = fmt::format("{} of {} threads have ended; {}", cta.launch.threads() - cta.live_threads,
                              cta.launch.threads(), text);
  return f;
}

}  // namespace castor::sm
