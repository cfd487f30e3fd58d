#include "gpu/model/dispatcher.h"

#include <algorithm>
#include <utility>

#include "gpu/abi/fault_record.h"

namespace castor::gpu {
namespace {

constexpr std::uint64_t kTurn = 1u << 18;   // warp instructions before a worker turns to another SM
constexpr std::uint64_t kSlice = 1u << 15;  // and before it looks at the clock and at requests
constexpr double kIssuesPerCycle = 4;       // warp instructions an SM of the modelled device issues in a cycle

}  // namespace

struct Dispatcher::Grid {
  explicit Grid(const GridLaunch& l) : launch(l), total(l.cta.grid.volume()) {}

  GridLaunch launch;
  std::uint64_t total;
  std::atomic<std::uint64_t> next{0}, finished{0};
  std::atomic<bool> cancelled{false};

  bool claimable() const {
    return next.load(std::memory_order_relaxed) < total && !cancelled.load(std::memory_order_relaxed);
  }
};

/// What one SM is to one context. `owned` is guarded by the dispatcher's mutex; what follows `launching` is the owner's.
struct Dispatcher::Slot {
  Slot(Share& s, unsigned n) : share(s), number(n) {}

  Share& share;
  const unsigned number;  // of the SM
  bool owned = false;
  std::atomic<unsigned> resident{0};
  std::mutex launching;  // held while `sm` is made, a CTA is launched, and a request is made

  std::unique_ptr<sm::Sm> sm;                  // made when first needed
  std::vector<std::shared_ptr<Grid>> present;  // keeps alive what resident CTAs' cookies point to
  unsigned target = 1;                         // CTAs to hold; grows while they run long, so that waiting ones meet
  std::size_t rotation = 0;                    // grid that gets the next place
  double owed_ns = 0;
  std::uint64_t counted = 0;                      // thread instructions of `sm` that are in the sum
  std::vector<std::shared_ptr<Grid>> candidates;  // of version `version` of the share's grids
  std::uint64_t version = 0;
};

/// One context's part of the device.
struct Dispatcher::Share {
  Share(std::uint16_t p, std::size_t sms) : pasid(p) {
    for (unsigned sm = 0; sm < sms; ++sm) slots.push_back(std::make_unique<Slot>(*this, sm));
  }

  const std::uint16_t pasid;
  std::vector<std::unique_ptr<Slot>> slots;  // by SM
  std::size_t cursor = 0;
  std::vector<std::shared_ptr<Grid>> grids;  // that have CTAs left to launch or to finish
  std::atomic<std::uint64_t> version{1};     // changes with `grids`

  bool has_work(const Slot& slot) const {
    return slot.resident.load(std::memory_order_relaxed) != 0 ||
           std::ranges::any_of(grids, [](const auto& grid) { return grid->claimable(); });
  }
};

Dispatcher::Dispatcher(Spec spec, DeviceClock& clock, DispatchEvents& events)
    : spec_(std::move(spec)), clock_(clock), events_(events), probe_(spec_.sms.at(0)), counters_(spec_.sms.size()) {
  const unsigned workers = std::min<unsigned>(std::max(1u, spec_.workers), static_cast<unsigned>(spec_.sms.size()));
  for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

Dispatcher::~Dispatcher() { shut_down(); }

Status Dispatcher::check(const GridLaunch& grid) const {
  if (Status status = probe_.check(grid.cta); !status) return status;
  const std::uint64_t capacity = cta_capacity(grid);
  if (grid.cooperative && grid.cta.grid.volume() > capacity) {
    return {StatusCode::invalid_value, "a cooperative grid has more CTAs than the device can hold at once"};
  }
  return {};
}

std::uint64_t Dispatcher::cta_capacity(const GridLaunch& grid) const {
  std::uint64_t capacity = 0;
  for (const sm::SmSpec& sm : spec_.sms) {
    std::uint64_t fit = std::min<std::uint64_t>(sm.cta_slots, sm.warp_slots / std::max(1u, grid.cta.warps()));
    if (grid.cta.shared_total() != 0) fit = std::min<std::uint64_t>(fit, sm.shared_bytes / grid.cta.shared_total());
    capacity += fit;
  }
  return capacity;
}

void Dispatcher::start(const GridLaunch& grid) {
  {
    std::lock_guard lock(mutex_);
    if (ending_) return;
    std::unique_ptr<Share>& share = shares_[grid.cta.context];
    if (!share) share = std::make_unique<Share>(grid.cta.context, spec_.sms.size());
    share->grids.push_back(std::make_shared<Grid>(grid));
    share->version.fetch_add(1);
    count_active_locked(1);
  }
  wake_.notify_all();
}

void Dispatcher::stop(std::uint16_t pasid) {
  request({.is_stop = true, .pasid = pasid, .id = 0, .open = {}}, [&](sm::Sm& sm) { return sm.cancel(pasid); });
}

void Dispatcher::invalidate(std::uint64_t id, std::uint16_t pasid, VirtAddr address, std::uint64_t bytes) {
  request({.is_stop = false, .pasid = pasid, .id = id, .open = {}},
          [&](sm::Sm& sm) { return sm.invalidate_translations(pasid, address, bytes); });
}

// Idle SMs take the request at once, here; running ones within a slice, and their workers look after the acknowledgement.
template <class Request>
void Dispatcher::request(Acknowledge acknowledge, Request&& each) {
  {
    std::lock_guard lock(mutex_);
    if (const auto share = shares_.find(acknowledge.pasid); share != shares_.end()) {
      if (acknowledge.is_stop) cancel_grids_locked(*share->second);
      for (const auto& slot : share->second->slots) {
        std::lock_guard launching(slot->launching);
        if (!slot->sm) continue;
        acknowledge.open.emplace_back(slot.get(), each(*slot->sm));
        if (slot->owned) slot->sm->interrupt();
      }
    }
    acknowledges_.push_back(std::move(acknowledge));
    acknowledges_open_.store(true);
  }
  check_acknowledges();
  wake_.notify_all();
}

bool Dispatcher::obeyed(Slot& slot, sm::Sm::Ticket ticket) {
  std::lock_guard launching(slot.launching);
  if (!slot.owned && slot.sm) {
    slot.sm->run(0);  // executes nothing, but takes what has been asked of it
    set_resident(slot);
    if (slot.sm->resident_ctas() == 0) slot.present.clear();
  }
  return !slot.sm || slot.sm->done(ticket);
}

void Dispatcher::check_acknowledges() {
  if (!acknowledges_open_.load()) return;
  std::lock_guard lock(mutex_);
  for (Acknowledge& each : acknowledges_) {
    std::erase_if(each.open, [this](const auto& wait) { return obeyed(*wait.first, wait.second); });
  }
  while (!acknowledges_.empty() && acknowledges_.front().open.empty()) {  // in the order of the requests
    const Acknowledge complete = std::move(acknowledges_.front());
    acknowledges_.pop_front();
    if (!complete.is_stop) {
      events_.invalidated(complete.id);
      continue;
    }
    if (const auto share = shares_.find(complete.pasid); share != shares_.end()) release_locked(*share->second);
    events_.context_stopped(complete.pasid);
  }
  acknowledges_open_.store(!acknowledges_.empty());
}

// The host memory of a stopped context's SMs goes back; a worker that still holds one keeps it until the next time.
void Dispatcher::release_locked(Share& share) {
  for (const auto& slot : share.slots) {
    std::lock_guard launching(slot->launching);
    if (slot->owned || slot->resident.load(std::memory_order_relaxed) != 0) continue;
    slot->sm.reset();
    slot->counted = 0;
    slot->present.clear();
    slot->candidates.clear();
    slot->version = 0;
  }
}

void Dispatcher::cancel_grids_locked(Share& share) {
  for (const auto& grid : share.grids) grid->cancelled.store(true);
  count_active_locked(-static_cast<std::int64_t>(share.grids.size()));
  share.grids.clear();
  share.version.fetch_add(1);
}

void Dispatcher::shut_down() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& [pasid, share] : shares_) {
      cancel_grids_locked(*share);
      for (const auto& slot : share->slots) {
        std::lock_guard launching(slot->launching);
        if (slot->sm) slot->sm->interrupt();
      }
    }
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

void Dispatcher::count_active_locked(std::int64_t change) {
  const std::uint64_t before = active_grids_.load(std::memory_order_relaxed);
  const std::uint64_t after = before + static_cast<std::uint64_t>(change);
  active_grids_.store(after, std::memory_order_relaxed);
  const auto now = std::chrono::steady_clock::now();
  if (before == 0 && after != 0) busy_since_ = now;
  if (before != 0 && after == 0)
    busy_ns_ += static_cast<std::uint64_t>(std::chrono::nanoseconds(now - busy_since_).count());
}

Dispatcher::Stats Dispatcher::stats() const {
  Stats stats;
  stats.grids = grids_done_.load(std::memory_order_relaxed);
  stats.ctas = ctas_done_.load(std::memory_order_relaxed);
  stats.warp_instructions = issued_.load(std::memory_order_relaxed);
  stats.thread_instructions = thread_instructions_.load(std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  stats.busy_ns = busy_ns_;
  return stats;
}

std::uint64_t Dispatcher::sm_ctas(std::size_t sm) const { return counters_[sm].ctas.load(std::memory_order_relaxed); }

bool Dispatcher::sm_busy(std::size_t sm) const { return counters_[sm].resident.load(std::memory_order_relaxed) != 0; }

void Dispatcher::set_resident(Slot& slot) {
  const unsigned now = slot.sm->resident_ctas();
  const unsigned before = slot.resident.exchange(now, std::memory_order_relaxed);
  counters_[slot.number].resident.fetch_add(now - before, std::memory_order_relaxed);
}

void Dispatcher::work() {
  while (true) {
    Slot* slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || (slot = take_slot_locked()) != nullptr; });
      if (ending_) return;
    }
    turn(*slot);
    {
      std::lock_guard lock(mutex_);
      slot->owned = false;
    }
    check_acknowledges();
  }
}

// Contexts in turn, and within a context its SMs.
Dispatcher::Slot* Dispatcher::take_slot_locked() {
  const auto after = shares_.upper_bound(last_context_);
  for (auto share = after; share != shares_.end(); ++share) {
    if (Slot* slot = take_slot_locked(*share->second)) return slot;
  }
  for (auto share = shares_.begin(); share != after; ++share) {
    if (Slot* slot = take_slot_locked(*share->second)) return slot;
  }
  return nullptr;
}

Dispatcher::Slot* Dispatcher::take_slot_locked(Share& share) {
  for (std::size_t i = 0; i < share.slots.size(); ++i) {
    Slot& slot = *share.slots[(share.cursor + i) % share.slots.size()];
    if (slot.owned || !share.has_work(slot)) continue;
    share.cursor = (share.cursor + i + 1) % share.slots.size();
    last_context_ = share.pasid;
    slot.owned = true;
    return &slot;
  }
  return nullptr;
}

void Dispatcher::turn(Slot& slot) {
  if (!slot.sm) {
    std::lock_guard launching(slot.launching);
    slot.sm = std::make_unique<sm::Sm>(spec_.sms[slot.number]);
  }
  bool any_ended = false;
  std::uint64_t limit = kTurn;
  for (std::uint64_t spent = 0; spent < limit;) {
    if (fill(slot)) limit = kSlice;
    const sm::RunReport report = slot.sm->run(kSlice);
    account(slot, report);
    check_acknowledges();
    any_ended |= !report.finished.empty();
    spent += std::max<std::uint64_t>(report.issued, 1);
    if (report.idle && report.finished.empty()) break;
    if (slot.resident.load(std::memory_order_relaxed) == 0 && report.finished.empty()) break;
    std::lock_guard lock(mutex_);
    if (ending_) break;
  }
  slot.target = any_ended ? 1 : std::max(slot.target, slot.resident.load(std::memory_order_relaxed)) + 1;
}

// A worker fills its SM only as far as needed: one CTA after another keeps the host's caches warm.
// True: CTAs of a cooperative grid are here, which wait for those of other SMs.
bool Dispatcher::fill(Slot& slot) {
  refresh_candidates(slot);
  const auto& candidates = slot.candidates;
  for (std::size_t failed = 0; failed < candidates.size();) {
    const auto& grid = candidates[slot.rotation % candidates.size()];
    const bool wanted = slot.sm->resident_ctas() < slot.target || grid->launch.cooperative;
    const Launched launched = wanted ? launch_next(slot, grid) : Launched::no;
    failed = launched == Launched::yes ? 0 : failed + 1;
    if (launched == Launched::refused) {  // the host has no memory for it
      sm::SmFault refusal;
      refusal.fault.cause = FaultCause::invalid_packet;
      refusal.detail = CASTOR_PACKET_BAD_LOCAL;
      refusal.context = grid->launch.cta.context;
      refusal.sm = static_cast<std::uint16_t>(slot.sm->spec().id);
      refusal.kernel = grid->launch.cta.kernel;
      refusal.cookie = reinterpret_cast<std::uintptr_t>(grid.get());
      fault(refusal);
    }
    ++slot.rotation;
  }
  return std::ranges::any_of(slot.present, [](const auto& grid) { return grid->launch.cooperative; });
}

void Dispatcher::refresh_candidates(Slot& slot) {
  const bool fresh = slot.version == slot.share.version.load();
  if (fresh && std::ranges::all_of(slot.candidates, [](const auto& grid) { return grid->claimable(); })) return;
  std::lock_guard lock(mutex_);
  slot.version = slot.share.version.load();
  slot.candidates.clear();
  for (const auto& grid : slot.share.grids) {
    if (!grid->claimable()) continue;
    slot.candidates.push_back(grid);
    if (grid->launch.cooperative) break;  // it gets all the room that becomes free
  }
}

Dispatcher::Launched Dispatcher::launch_next(Slot& slot, const std::shared_ptr<Grid>& grid) {
  std::lock_guard launching(slot.launching);
  if (!grid->claimable() || !slot.sm->can_accept(grid->launch.cta)) return Launched::no;
  const std::uint64_t number = grid->next.fetch_add(1, std::memory_order_relaxed);
  if (number >= grid->total) return Launched::no;
  sm::CtaLaunch cta = grid->launch.cta;
  cta.cookie = reinterpret_cast<std::uintptr_t>(grid.get());
  cta.index.x = static_cast<std::uint32_t>(number % cta.grid.x);
  cta.index.y = static_cast<std::uint32_t>(number / cta.grid.x % cta.grid.y);
  cta.index.z = static_cast<std::uint32_t>(number / cta.grid.x / cta.grid.y);
  if (!slot.sm->launch(cta)) return Launched::refused;
  if (std::ranges::find(slot.present, grid) == slot.present.end()) slot.present.push_back(grid);
  set_resident(slot);
  return Launched::yes;
}

void Dispatcher::account(Slot& slot, const sm::RunReport& report) {
  set_resident(slot);
  issued_.fetch_add(report.issued, std::memory_order_relaxed);
  const std::uint64_t executed = slot.sm->stats().thread_instructions;
  thread_instructions_.fetch_add(executed - std::exchange(slot.counted, executed), std::memory_order_relaxed);
  if (report.issued != 0 && !slot.present.empty()) {
    const double sharing = static_cast<double>(std::min<std::uint64_t>(spec_.sms.size(), slot.present.back()->total));
    slot.owed_ns += static_cast<double>(report.issued) * 1e6 / (kIssuesPerCycle * sharing * spec_.clock_khz);
    const auto whole = static_cast<std::uint64_t>(slot.owed_ns);
    slot.owed_ns -= static_cast<double>(whole);
    clock_.advance(whole);
  }
  for (const std::uint64_t cookie : report.finished) {
    counters_[slot.number].ctas.fetch_add(1, std::memory_order_relaxed);
    ctas_done_.fetch_add(1, std::memory_order_relaxed);
    finish(*reinterpret_cast<Grid*>(cookie));
  }
  if (report.fault) fault(*report.fault);
  if (slot.resident.load(std::memory_order_relaxed) == 0) slot.present.clear();
}

void Dispatcher::finish(Grid& grid) {
  if (grid.finished.fetch_add(1, std::memory_order_acq_rel) + 1 != grid.total) return;
  std::lock_guard lock(mutex_);
  Share& share = *shares_.at(grid.launch.cta.context);
  if (std::erase_if(share.grids, [&](const auto& each) { return each.get() == &grid; }) == 0) return;  // cancelled
  share.version.fetch_add(1);
  count_active_locked(-1);
  grids_done_.fetch_add(1, std::memory_order_relaxed);
  events_.grid_finished(grid.launch.id);
}

void Dispatcher::fault(const sm::SmFault& fault) {
  const auto& grid = *reinterpret_cast<const Grid*>(fault.cookie);
  std::lock_guard lock(mutex_);
  if (grid.cancelled.load()) return;
  const std::uint64_t id = grid.launch.id;
  Share& share = *shares_.at(fault.context);
  cancel_grids_locked(share);
  for (const auto& slot : share.slots) {
    std::lock_guard launching(slot->launching);
    if (slot->sm) slot->sm->cancel(fault.context);
  }
  events_.grid_faulted(fault, id);
}

}  // namespace castor::gpu
