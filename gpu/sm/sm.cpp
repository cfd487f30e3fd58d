#include "gpu/sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

#include "gpu/abi/address_space.h"
#include "gpu/sm/core.h"

namespace castor::sm {

std::uint64_t Cta::shared_base(const SmSpec& spec) const {
  return CASTOR_SHARED_WINDOW + (std::uint64_t{spec.id} * spec.cta_slots + slot) * CASTOR_SHARED_STRIDE;
}

std::uint64_t Cta::local_base(const SmSpec& spec, unsigned thread) const {
  const std::uint64_t cta_slot = std::uint64_t{spec.id} * spec.cta_slots + slot;
  return CASTOR_LOCAL_WINDOW + (cta_slot * CASTOR_CTA_MAX_THREADS + thread) * CASTOR_LOCAL_STRIDE;
}

bool Cta::can_run() const {
  return std::any_of(warps.begin(), warps.begin() + warps_used, [](const auto& w) { return w->state.runnable() != 0; });
}

namespace {

struct Request {
  enum class Kind : std::uint8_t { cancel, invalidate } kind;
  std::uint16_t context;
  std::uint64_t address, bytes;
};

/// Zeroes what the warp before may have left, but for what is written anyway or never read before it is written.
void clear_registers(Warp& warp) {
  WarpState& w = warp.state;
  for (std::uint32_t rest = warp.used_x; rest != 0; rest &= rest - 1) {
    std::memset(w.x[__builtin_ctz(rest)], 0, sizeof w.x[0]);
  }
  for (std::uint32_t rest = warp.used_f; rest != 0; rest &= rest - 1) {
    const int row = __builtin_ctz(rest);
    std::memset(w.f_low[row], 0, sizeof w.f_low[0]);
    std::memset(w.f_high[row], 0, sizeof w.f_high[0]);
  }
  warp.used_x = warp.used_f = 0;
  std::memset(w.fcsr, 0, sizeof w.fcsr);
  w.exited = w.at_sync = w.at_barrier = 0;
}

/// Thread indices of the lanes; those of the warp before in this place are usually the same.
void number_threads(Warp& warp, const Dim3& block, unsigned first) {
  if (warp.first_thread == first && warp.block.x == block.x && warp.block.y == block.y && warp.block.z == block.z)
    return;
  warp.first_thread = first;
  warp.block = block;
  std::uint32_t x = first % block.x, y = first / block.x % block.y, z = first / (block.x * block.y);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    warp.tid[0][lane] = static_cast<std::uint16_t>(x);
    warp.tid[1][lane] = static_cast<std::uint16_t>(y);
    warp.tid[2][lane] = static_cast<std::uint16_t>(z);
    if (++x == block.x) x = 0, ++y;
    if (y == block.y) y = 0, ++z;
  }
}

void start_warp(Warp& warp, Cta& cta, const SmSpec& spec, unsigned number) {
  constexpr unsigned kRa = 1, kSp = 2, kTp = 4, kA0 = 10;
  WarpState& w = warp.state;
  clear_registers(warp);
  warp.cta = &cta;
  warp.number = number;
  warp.window = kAllLanes;
  warp.ran = 0;
  warp.slice_left = spec.lane_slice;
  warp.turns = 0;
  std::fill(std::begin(warp.last_turn), std::end(warp.last_turn), 0);
  const CtaLaunch& launch = cta.launch;
  const unsigned first = number * kWarpLanes, threads = launch.threads();
  const unsigned lanes = std::min(kWarpLanes, threads - first);
  w.present = lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1;
  number_threads(warp, launch.block, first);
  std::fill_n(w.pc, kWarpLanes, launch.entry.value);
  std::fill_n(w.reserved_address, kWarpLanes, ~0ull);
  std::fill_n(w.x[kRa], kWarpLanes, CASTOR_EXIT_PC);
  std::fill_n(w.x[kTp], kWarpLanes, cta.shared_base(spec));
  std::fill_n(w.x[kA0], kWarpLanes, launch.params.value);
  const std::uint64_t top = cta.local_base(spec, first + 1);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) w.x[kSp][lane] = top + lane * CASTOR_LOCAL_STRIDE;
}

}  // namespace

struct Sm::Impl {
  explicit Impl(const SmSpec& s) : spec(s), engine(engine_for(s.cpu)) {
    ctas.resize(spec.cta_slots);
    for (unsigned i = 0; i < spec.cta_slots; ++i) ctas[i].slot = i;
  }

  SmSpec spec;
  const Engine& engine;
  std::vector<Cta> ctas;
  std::map<std::uint16_t, std::unique_ptr<Context>> contexts;
  std::vector<Warp*> order;  // resident warps in the order of their turns
  std::size_t next = 0;
  unsigned warps_used = 0, ctas_used = 0;
  std::uint64_t shared_used = 0;
  Exec exec;
  SmStats stats;

  std::mutex request_lock;
  std::vector<Request> requests;
  std::uint64_t posted = 0;  // under request_lock
  std::atomic<std::uint64_t> served{0};
  std::atomic<bool> pending{false}, stop_soon{false}, running{false};

  Context& context(const CtaLaunch& cta);
  void place(Cta& cta, const CtaLaunch& launch);
  void remove(Cta& cta);
  void serve_requests();
  void serve(const Request& request);
  Ticket post(const Request& request);
  Warp* pick();
  void turn(Warp& warp, std::int64_t budget, RunReport& report);
  void find_deadlock(Cta& cta, RunReport& report);
  RunReport run(std::uint64_t max_instructions);
};

Context& Sm::Impl::context(const CtaLaunch& cta) {
  std::unique_ptr<Context>& slot = contexts[cta.context];
  if (!slot || slot->memory != cta.memory) {
    slot = std::make_unique<Context>(engine);
    slot->pasid = cta.context;
    slot->memory = cta.memory;
  }
  if (!slot->seen_grid || slot->grid_id != cta.grid_id) {
    if (slot->code.revalidate()) slot->exact_floats = false;
    slot->grid_id = cta.grid_id;
    slot->seen_grid = true;
    const bool exact = slot->code.sees_float_state(cta.entry.value, *cta.memory);
    if (exact && !slot->exact_floats) slot->code.clear();
    slot->exact_floats = slot->exact_floats || exact;
  }
  return *slot;
}

void Sm::Impl::place(Cta& cta, const CtaLaunch& launch) {
  cta.launch = launch;
  cta.resident = true;
  cta.frozen = false;
  cta.context = &context(launch);
  cta.warps_used = launch.warps();
  cta.live_threads = launch.threads();
  std::fill(std::begin(cta.barriers), std::end(cta.barriers), Barrier{});
  cta.warps.resize(std::max<std::size_t>(cta.warps.size(), cta.warps_used));
  for (unsigned i = 0; i < cta.warps_used; ++i) {
    if (!cta.warps[i]) cta.warps[i] = std::make_unique<Warp>();
    start_warp(*cta.warps[i], cta, spec, i);
    order.push_back(cta.warps[i].get());
  }
  warps_used += cta.warps_used;
  ++ctas_used;
  shared_used += launch.shared_total();
}

void Sm::Impl::remove(Cta& cta) {
  const auto gone = [&](const Warp* warp) { return warp->cta == &cta; };
  const auto before = std::count_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(next), gone);
  next -= static_cast<std::size_t>(before);
  order.erase(std::remove_if(order.begin(), order.end(), gone), order.end());
  if (next >= order.size()) next = 0;
  constexpr std::uint32_t kWrittenAtStart = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 10;  // as start_warp does
  for (unsigned i = 0; i < cta.warps_used; ++i) {
    cta.warps[i]->used_x |= cta.context->code.written_x() | kWrittenAtStart;
    cta.warps[i]->used_f |= cta.context->code.written_f();
  }
  warps_used -= cta.warps_used;
  --ctas_used;
  shared_used -= cta.launch.shared_total();
  cta.resident = false;
  cta.warps_used = 0;
}

void Sm::Impl::serve(const Request& request) {
  if (request.kind == Request::Kind::cancel) {
    for (Cta& cta : ctas) {
      if (cta.resident && cta.launch.context == request.context) remove(cta);
    }
    contexts.erase(request.context);
    return;
  }
  const auto found = contexts.find(request.context);
  if (found == contexts.end()) return;
  found->second->forget_translations();
  found->second->code.clear();
  found->second->seen_grid = false;
}

void Sm::Impl::serve_requests() {
  const std::lock_guard lock(request_lock);
  for (const Request& request : requests) serve(request);
  requests.clear();
  pending = false;
  served = posted;
}

Sm::Ticket Sm::Impl::post(const Request& request) {
  const std::lock_guard lock(request_lock);
  requests.push_back(request);
  pending = true;
  return ++posted;
}

/// Next warp in turn that has something to run.
Warp* Sm::Impl::pick() {
  for (std::size_t tried = 0; tried < order.size(); ++tried) {
    Warp* warp = order[next];
    next = next + 1 == order.size() ? 0 : next + 1;
    if (!warp->cta->frozen && warp->state.runnable() != 0) return warp;
  }
  return nullptr;
}

void Sm::Impl::find_deadlock(Cta& cta, RunReport& report) {
  if (cta.frozen || cta.live_threads == 0 || cta.can_run()) return;
  report.fault = describe_deadlock(cta, spec);
}

void Sm::Impl::turn(Warp& warp, std::int64_t budget, RunReport& report) {
  Cta& cta = *warp.cta;
  if (run_warp(exec, warp, engine, spec, budget) == Turn::fault) {
    report.fault = describe_fault(exec, warp, spec);
  } else if (cta.live_threads == 0) {
    report.finished.push_back(cta.launch.cookie);
    ++stats.ctas;
    remove(cta);
  } else if (warp.state.runnable() == 0) {
    find_deadlock(cta, report);
  }
  if (!report.fault) return;
  for (Cta& other : ctas) {
    if (other.resident && other.context == cta.context) other.frozen = true;
  }
}

RunReport Sm::Impl::run(std::uint64_t max_instructions) {
  running = true;
  RunReport report;
  const std::uint64_t start = exec.issued;
  while (report.finished.empty() && !report.fault) {
    if (pending) serve_requests();
    report.issued = exec.issued - start;
    if (report.issued >= max_instructions || stop_soon.exchange(false)) break;
    Warp* warp = pick();
    if (warp == nullptr) {
      report.idle = true;
      break;
    }
    const std::uint64_t left = max_instructions - report.issued;
    turn(*warp, static_cast<std::int64_t>(std::min<std::uint64_t>(left, spec.warp_slice)), report);
  }
  report.issued = exec.issued - start;
  stats.issued = exec.issued;
  stats.thread_instructions = exec.thread_instructions;
  stats.divergences = exec.divergences;
  stats.tlb_misses = exec.tlb_misses;
  running = false;
  return report;
}

Sm::Sm(const SmSpec& spec) : impl_(std::make_unique<Impl>(spec)) {}
Sm::~Sm() = default;
Sm::Sm(Sm&&) noexcept = default;

const SmSpec& Sm::spec() const { return impl_->spec; }

Status Sm::check(const CtaLaunch& cta) const {
  const SmSpec& s = impl_->spec;
  const auto refuse = [](std::string_view what, std::uint64_t asked, std::uint64_t limit) {
    return Status(StatusCode::invalid_value, fmt::format("{} asked for: {}, limit {}", what, asked, limit));
  };
  const std::uint64_t threads = cta.block.volume();
  if (threads == 0 || threads > CASTOR_CTA_MAX_THREADS)
    return refuse("threads in a CTA", threads, CASTOR_CTA_MAX_THREADS);
  if (cta.warps() > s.warp_slots) return refuse("warps in a CTA", cta.warps(), s.warp_slots);
  const std::uint64_t shared = std::uint64_t{cta.shared_static} + cta.shared_dynamic;
  if (shared > s.cta_shared_bytes || cta.shared_total() > s.cta_shared_bytes) {
    return refuse("bytes of shared memory in a CTA", std::max<std::uint64_t>(shared, cta.shared_total()),
                  s.cta_shared_bytes);
  }
  if (cta.local_bytes > s.local_bytes_max)
    return refuse("bytes of local memory a thread", cta.local_bytes, s.local_bytes_max);
  if (cta.memory == nullptr) return {StatusCode::invalid_value, "a CTA needs an address space"};
  return {};
}

bool Sm::can_accept(const CtaLaunch& cta) const {
  Impl& sm = *impl_;
  if (sm.pending) sm.serve_requests();  // a cancelled context leaves room
  return sm.ctas_used < sm.spec.cta_slots && sm.warps_used + cta.warps() <= sm.spec.warp_slots &&
         sm.shared_used + cta.shared_total() <= sm.spec.shared_bytes && check(cta).ok();
}

Status Sm::launch(const CtaLaunch& launch) {
  Impl& sm = *impl_;
  if (Status status = check(launch); !status.ok()) return status;
  if (!can_accept(launch)) return {StatusCode::busy, "no room for the CTA in this SM"};
  Cta& cta = *std::find_if(sm.ctas.begin(), sm.ctas.end(), [](const Cta& c) { return !c.resident; });
  cta.local_bytes = (launch.local_bytes + 15u) & ~15u;
  const std::size_t local = std::size_t{launch.warps()} * kWarpLanes * cta.local_bytes;
  if (launch.context != cta.launch.context) cta.local.release();  // no context sees what another one left
  if (!cta.local.reserve(local) || !cta.shared.reserve(std::max(launch.shared_total(), 4096u))) {
    return {StatusCode::out_of_memory, "the host has no memory for the CTA's local and shared memory"};
  }
  cta.shared.zero(launch.shared_total());
  sm.place(cta, launch);
  return {};
}

RunReport Sm::run(std::uint64_t max_instructions) { return impl_->run(max_instructions); }

unsigned Sm::resident_ctas() const {
  if (impl_->pending) impl_->serve_requests();
  return impl_->ctas_used;
}
const SmStats& Sm::stats() const { return impl_->stats; }

Sm::Ticket Sm::cancel(std::uint16_t context) { return impl_->post({Request::Kind::cancel, context, 0, 0}); }

Sm::Ticket Sm::invalidate_translations(std::uint16_t context, VirtAddr address, std::uint64_t bytes) {
  return impl_->post({Request::Kind::invalidate, context, address.value, bytes});
}

// Not running means: `run` and `launch` will serve the request before they look at any translation.
bool Sm::done(Ticket ticket) const { return impl_->served >= ticket || !impl_->running; }

void Sm::interrupt() { impl_->stop_soon = true; }

unsigned Sm::warp_count() const { return static_cast<unsigned>(impl_->order.size()); }

Sm::WarpView Sm::warp(unsigned number) {
  Warp& warp = *impl_->order[number];
  warp.used_x = warp.used_f = ~0u;  // whoever looks may write
  return {&warp.cta->launch, warp.cta->slot, warp.number, &warp.state};
}

std::span<std::byte> Sm::shared(unsigned cta_slot) {
  Cta& cta = impl_->ctas[cta_slot];
  return {cta.shared.data(), cta.launch.shared_total()};
}

std::byte* Sm::local(unsigned cta_slot, unsigned thread, VirtAddr address) {
  Cta& cta = impl_->ctas[cta_slot];
  const std::uint64_t top = cta.local_base(impl_->spec, thread + 1), bottom = top - cta.local_bytes;
  if (address.value < bottom || address.value >= top) return nullptr;
  const std::uint64_t place = address.value - bottom;
  const unsigned lane = thread % kWarpLanes;
  std::byte* warp = cta.local.data() + std::size_t{thread / kWarpLanes} * kWarpLanes * cta.local_bytes;
  return warp + (place / 8 * kWarpLanes + lane) * 8 + place % 8;
}

}  // namespace castor::sm
