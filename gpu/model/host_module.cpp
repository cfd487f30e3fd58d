#include "gpu/model/host_module.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "gpu/abi/register_view.h"
#include "platform/sim/time.h"

namespace castor::gpu {
namespace {

Dispatcher::Spec dispatcher_spec(const GpuSpec& spec, DeviceClock& clock) {
  Dispatcher::Spec out;
  out.clock_khz = spec.clock_khz;
  out.workers = spec.host_workers != 0 ? spec.host_workers : std::max(1u, std::thread::hardware_concurrency());
  for (unsigned id = 0; id < spec.sms.size(); ++id) {
    sm::SmSpec sm;
    sm.id = id;
    sm.sm_count = static_cast<unsigned>(spec.sms.size());
    sm.warp_slots = spec.warp_slots;
    sm.cta_slots = spec.cta_slots;
    sm.shared_bytes = spec.shared_per_sm;
    sm.cta_shared_bytes = spec.shared_per_cta;
    sm.local_bytes_max = spec.local_bytes;
    sm.globaltimer = [&clock] { return clock.now_ns(); };
    out.sms.push_back(std::move(sm));
  }
  return out;
}

}  // namespace

HostModule::HostModule(sc_core::sc_module_name name, const GpuSpec& spec, Ports ports)
    : sc_module(name),
      bus("gpu.host", &ports.mmu),
      spec_(spec),
      ports_(std::move(ports)),
      host_bank_(reg::host::kRegisters),
      mmu_bank_(reg::mmu::kRegisters),
      dispatch_bank_(reg::dispatch::kRegisters),
      fatal_ring_(mmu_bank_),
      scheduler_({spec.queues, spec.contexts, spec.vectors}),
      watch_([this] { mailbox_.post(SemaphoreReached{}); }) {
  DispatchEvents& events = *this;
  dispatcher_ = std::make_unique<Dispatcher>(dispatcher_spec(spec_, clock_), clock_, events);
  for (std::size_t sm = 0; sm < spec_.sms.size(); ++sm) {
    sm_banks_.push_back(std::make_unique<RegisterBank>(reg::sm::kRegisters));
  }
  connect_registers();
  connect_status();
  SC_HAS_PROCESS(HostModule);
  SC_THREAD(serve);
  set_stack_size(sim::kStackBytes);
}

HostModule::~HostModule() { shut_down(); }

void HostModule::shut_down() {
  watch_.watch({});
  dispatcher_->shut_down();
}

void HostModule::connect_registers() {
  host_bank_.on_write<reg::host::COMMAND>([this](std::uint32_t v) { command(reg::host::COMMAND_OP::get(v)); });
  host_bank_.on_read<reg::host::QUEUE_STATUS>([this] {
    const unsigned queue = host_bank_.get<reg::host::SELECT>();
    return reg::host::QUEUE_STATUS_ENABLED::put(scheduler_.enabled(queue)) |
           reg::host::QUEUE_STATUS_BUSY::put(scheduler_.busy(queue)) |
           reg::host::QUEUE_STATUS_STOPPED::put(scheduler_.stopped(queue));
  });
  host_bank_.on_read<reg::host::PACKETS>([this] { return static_cast<std::uint32_t>(scheduler_.packets()); });
  const auto set_table = [this](std::uint32_t) {
    ports_.mmu.set_context_table(DevAddr{mmu_bank_.get64<reg::mmu::CONTEXT_TABLE_LO>()});
  };
  mmu_bank_.on_write<reg::mmu::CONTEXT_TABLE_LO>(set_table);
  mmu_bank_.on_write<reg::mmu::CONTEXT_TABLE_HI>(set_table);
  mmu_bank_.on_write<reg::mmu::INVALIDATE>([this](std::uint32_t) { begin_invalidation(); });
  mmu_bank_.on_read<reg::mmu::WALKS>([this] { return ports_.mmu.walks(); });
  dispatch_bank_.on_read<reg::dispatch::STATUS>([this] { return std::uint32_t{dispatcher_->busy()}; });
  dispatch_bank_.on_read<reg::dispatch::GRIDS>(
      [this] { return static_cast<std::uint32_t>(dispatcher_->stats().grids); });
  dispatch_bank_.on_read<reg::dispatch::CTAS_LO>(
      [this] { return static_cast<std::uint32_t>(dispatcher_->stats().ctas); });
  dispatch_bank_.on_read<reg::dispatch::CTAS_HI>(
      [this] { return static_cast<std::uint32_t>(dispatcher_->stats().ctas >> 32); });
  for (std::size_t sm = 0; sm < sm_banks_.size(); ++sm) {
    sm_banks_[sm]->on_read<reg::sm::STATUS>([this, sm] { return std::uint32_t{dispatcher_->sm_busy(sm)}; });
    sm_banks_[sm]->on_read<reg::sm::CTAS>([this, sm] { return static_cast<std::uint32_t>(dispatcher_->sm_ctas(sm)); });
  }
}

void HostModule::connect_status() {
  host_bank_.set<reg::host::QUEUES>(spec_.queues);
  mmu_bank_.set<reg::mmu::CONTEXTS>(spec_.contexts);
  dispatch_bank_.set<reg::dispatch::SMS>(static_cast<std::uint32_t>(spec_.sms.size()));
  for (std::size_t sm = 0; sm < sm_banks_.size(); ++sm) {
    sm_banks_[sm]->set<reg::sm::ID>(static_cast<std::uint32_t>(sm));
    sm_banks_[sm]->set<reg::sm::WARP_SLOTS>(spec_.warp_slots);
    sm_banks_[sm]->set<reg::sm::SHARED_BYTES>(spec_.shared_per_sm);
  }
}

bool HostModule::doorbell(std::uint32_t token, std::uint16_t pasid) {
  if (!scheduler_.doorbell(token, pasid)) return false;
  wake_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

std::uint64_t HostModule::now_ns() {
  clock_.reach(sim::now_ns());
  return clock_.now_ns();
}

void HostModule::serve() {
  while (true) {
    bool progress = read_mail();
    progress |= finish_packet();
    progress |= start_packet();
    progress |= fetch();
    progress |= finish_stop();
    sim::synchronize(ahead_);
    if (!progress) wait(wake_ | mailbox_.arrived() | ports_.copy_jobs.ended);
  }
}

bool HostModule::read_mail() {
  Letter letter;
  bool any = false;
  while (mailbox_.take(letter)) {
    any = true;
    if (const auto* finished = std::get_if<GridFinished>(&letter)) handle(*finished);
    if (const auto* faulted = std::get_if<GridFaulted>(&letter)) handle(*faulted);
    if (const auto* stopped = std::get_if<ContextStopped>(&letter)) handle(*stopped);
    if (const auto* invalidated = std::get_if<Invalidated>(&letter)) handle(*invalidated);
    if (std::holds_alternative<SemaphoreReached>(letter)) look_at_waits();
  }
  for (; !copy_faults_.empty(); copy_faults_.pop_front(), any = true) {
    const CopyFault fault = copy_faults_.front();
    if (scheduler_.valid(fault.start.ref)) stop_by(fault.fault, fault.start);
  }
  if (any) mail_read_.notify(sc_core::SC_ZERO_TIME);
  return any;
}

// The SMs have run ahead of the kernel; it follows before anybody hears of the grid's end.
void HostModule::handle(const GridFinished& letter) {
  const auto at = grids_.find(letter.id);
  if (at == grids_.end()) return;
  ended(at->second);
  grids_.erase(at);
  sim::synchronize(ahead_);
  const std::uint64_t now = sim::now_ns();
  if (clock_.now_ns() > now) wait(sim::nanoseconds(static_cast<double>(clock_.now_ns() - now)));
}

bool HostModule::fetch() {
  const auto fetch = scheduler_.next_fetch();
  if (!fetch) return false;
  const QueueDescriptor& queue = fetch->descriptor;
  const auto stop = [&](const Fault& fault) {
    if (scheduler_.valid(fetch->first)) stop_by(fault, {fetch->first, queue, {}});
    return true;
  };
  std::uint64_t put = 0;
  const auto put_bytes = std::as_writable_bytes(std::span(&put, 1));
  if (const Fault f = bus.read(queue.pasid, queue.page + offsetof(castor_queue_page, put), put_bytes, ahead_)) {
    return stop(f);
  }
  if (!scheduler_.put_is(fetch->first, put)) {
    stop_by(CASTOR_PACKET_BAD_PUT, {fetch->first, queue, {}});
    return true;
  }
  const std::uint64_t slot = fetch->first.index % queue.entries;
  const std::uint64_t count = std::min(scheduler_.available(fetch->first), queue.entries - slot);
  if (count == 0) return true;
  std::vector<Packet> packets(count);
  const auto bytes = std::as_writable_bytes(std::span(packets));
  if (const Fault f = bus.read(queue.pasid, queue.ring + slot * CASTOR_PACKET_BYTES, bytes, ahead_)) return stop(f);
  const std::uint64_t get = fetch->first.index + count;
  const auto get_bytes = std::as_bytes(std::span(&get, 1));
  if (const Fault f = bus.write(queue.pasid, queue.page + offsetof(castor_queue_page, get), get_bytes, ahead_)) {
    return stop(f);
  }
  scheduler_.fetched(fetch->first, packets);
  return true;
}

}  // namespace castor::gpu
