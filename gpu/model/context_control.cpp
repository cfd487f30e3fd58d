// HostModule: commands of the firmware, faults, and the end of contexts and translations.
#include <algorithm>

#include "gpu/abi/discovery.h"
#include "gpu/model/host_module.h"
#include "platform/sim/time.h"

namespace castor::gpu {

using namespace reg::host;
using namespace reg::mmu;

void HostModule::command(std::uint32_t op) {
  const castor_host_result result = execute(op);
  host_bank_.set<RESULT>(RESULT_CODE::put(result) | RESULT_BUSY::put(stop_.has_value()));
  wake_.notify(sc_core::SC_ZERO_TIME);
}

castor_host_result HostModule::execute(std::uint32_t op) {
  const unsigned queue = host_bank_.get<SELECT>();
  switch (op) {
    case CASTOR_HOST_QUEUE_ENABLE: {
      if (host_bank_.get<PASID>() >= spec_.contexts) return CASTOR_HOST_BAD_DESCRIPTOR;
      return scheduler_.enable(queue, {.pasid = static_cast<std::uint16_t>(host_bank_.get<PASID>()),
                                       .vector = host_bank_.get<VECTOR>(),
                                       .ring = VirtAddr{host_bank_.get64<RING_LO>()},
                                       .entries = host_bank_.get<ENTRIES>(),
                                       .page = VirtAddr{host_bank_.get64<PAGE_LO>()}});
    }
    case CASTOR_HOST_QUEUE_DISABLE: return scheduler_.disable(queue);
    case CASTOR_HOST_CONTEXT_STOP: return begin_stop(false);
    case CASTOR_HOST_CONTEXT_RESET: return begin_stop(true);
    default: return CASTOR_HOST_BAD_COMMAND;
  }
}

castor_host_result HostModule::begin_stop(bool restart) {
  if (stop_) return CASTOR_HOST_PENDING;
  if (host_bank_.get<PASID>() >= spec_.contexts) return CASTOR_HOST_BAD_DESCRIPTOR;
  const auto pasid = static_cast<std::uint16_t>(host_bank_.get<PASID>());
  scheduler_.stop_context(pasid);
  drop_work(pasid);
  stop_ = Stop{pasid, restart};
  return CASTOR_HOST_OK;
}

void HostModule::drop_work(std::uint16_t pasid) {
  const auto mine = [pasid](const Start& start) { return start.descriptor.pasid == pasid; };
  std::erase_if(waits_, mine);
  std::erase_if(grids_, [&](const auto& grid) { return mine(grid.second); });
  std::erase_if(ports_.copy_jobs.waiting, [&](const CopyJob& job) { return mine(job.start); });
  for (CopyEngineModule* engine : ports_.copy_engines) engine->stop_context(pasid);
  watch_waits();
  ++stops_open_[pasid];
  dispatcher_->stop(pasid);
}

void HostModule::handle(const ContextStopped& letter) {
  if (--stops_open_[letter.pasid] == 0) stops_open_.erase(letter.pasid);
}

// True when the firmware's command has come to its end: no engine works for the context any more.
bool HostModule::finish_stop() {
  if (!stop_ || stops_open_.contains(stop_->pasid)) return false;
  const std::uint16_t pasid = stop_->pasid;
  if (std::ranges::any_of(ports_.copy_engines, [&](const auto* engine) { return engine->works_for(pasid); })) {
    return false;
  }
  bool ok = true;
  if (stop_->restart) {
    for (const unsigned queue : scheduler_.queues_of(pasid)) ok &= restart_queue(queue);
  } else {
    scheduler_.remove_context(pasid);
  }
  stop_.reset();
  host_bank_.set<RESULT>(RESULT_CODE::put(ok ? CASTOR_HOST_OK : CASTOR_HOST_BAD_DESCRIPTOR));
  ports_.firmware_irq(reg::gsp_local::IRQ_PENDING_HOST::put(1));
  return true;
}

// What was in the ring is lost; the queue goes on with what the driver adds. A queue whose page is gone stays stopped.
bool HostModule::restart_queue(unsigned queue) {
  const QueueDescriptor descriptor = scheduler_.descriptor(queue);
  castor_queue_page page{};
  const auto put = std::as_writable_bytes(std::span(&page.put, 1));
  if (bus.read(descriptor.pasid, descriptor.page, put, ahead_)) return false;
  page.get = page.put;
  const auto rest = std::as_bytes(std::span(&page, 1)).subspan(offsetof(castor_queue_page, get));
  if (bus.write(descriptor.pasid, descriptor.page + offsetof(castor_queue_page, get), rest, ahead_)) return false;
  scheduler_.restart(queue, page.put);
  return true;
}

void HostModule::handle(const GridFaulted& letter) {
  const auto at = grids_.find(letter.id);
  if (at == grids_.end()) return;
  const sm::SmFault& f = letter.fault;
  castor_fault_record record{};
  record.cause = static_cast<std::uint8_t>(f.fault.cause);
  record.access = static_cast<std::uint8_t>(f.fault.access);
  record.size = f.fault.size;
  record.engine = CASTOR_FAULT_SM;
  record.context = f.context;
  record.queue = static_cast<std::uint16_t>(at->second.ref.queue);
  record.address = f.fault.address.value;
  record.pc = f.pc.value;
  record.lanes = f.lanes;
  record.sm = f.sm;
  record.die = static_cast<std::uint8_t>(f.sm < spec_.sms.size() ? spec_.sms[f.sm].die : 0);
  record.warp = f.warp;
  const std::uint32_t block[] = {f.block.x, f.block.y, f.block.z}, thread[] = {f.thread.x, f.thread.y, f.thread.z};
  for (unsigned i = 0; i < 3; ++i) {
    record.block[i] = block[i];
    record.thread[i] = static_cast<std::uint16_t>(thread[i]);
  }
  record.detail = f.detail;
  record.kernel = f.kernel.value;
  stop_by(record);
}

void HostModule::stop_by(const Fault& fault, const Start& start) {
  castor_fault_record record{};
  const unsigned type = start.packet.type();
  const bool copying = type == CASTOR_PACKET_COPY || type == CASTOR_PACKET_FILL;
  record.cause = static_cast<std::uint8_t>(fault.cause);
  record.access = static_cast<std::uint8_t>(fault.access);
  record.size = fault.size;
  record.engine = copying ? CASTOR_FAULT_COPY : CASTOR_FAULT_HOST;
  record.context = start.descriptor.pasid;
  record.queue = static_cast<std::uint16_t>(start.ref.queue);
  record.address = fault.address.value;
  record.kernel = type == CASTOR_PACKET_DISPATCH ? start.packet.as<castor_packet_dispatch>().kernel : 0;
  stop_by(record);
}

void HostModule::stop_by(unsigned packet_problem, const Start& start) {
  castor_fault_record record{};
  record.cause = static_cast<std::uint8_t>(FaultCause::invalid_packet);
  record.engine = CASTOR_FAULT_HOST;
  record.context = start.descriptor.pasid;
  record.queue = static_cast<std::uint16_t>(start.ref.queue);
  record.address = place_of(start).value;
  record.detail = static_cast<std::uint16_t>(packet_problem);
  record.kernel = start.packet.type() == CASTOR_PACKET_DISPATCH ? start.packet.as<castor_packet_dispatch>().kernel : 0;
  stop_by(record);
}

// The first fault stops the context; others stay as they are.
void HostModule::stop_by(const castor_fault_record& record) {
  const std::uint16_t pasid = record.context;
  if (scheduler_.context_stopped(pasid)) return;
  scheduler_.stop_context(pasid);
  drop_work(pasid);
  const std::uint32_t index = fatal_ring_.put();
  write_record(record);
  const std::uint64_t error = record.cause;
  for (const unsigned queue : scheduler_.queues_of(pasid)) {
    const VirtAddr word = scheduler_.descriptor(queue).page + offsetof(castor_queue_page, error);
    (void)bus.write(pasid, word, std::as_bytes(std::span(&error, 1)), ahead_);  // the page itself may be what is gone
  }
  sim::synchronize(ahead_);
  ports_.interrupts.raise(CASTOR_VECTOR_FATAL_FAULT);
  ports_.firmware_fault(pasid, index);
}

void HostModule::write_record(const castor_fault_record& record) {
  const auto slot = fatal_ring_.slot();
  if (!slot) return;
  if (bus.write(Place{true, slot->value}, std::as_bytes(std::span(&record, 1)), ahead_)) {
    fatal_ring_.advance();
  } else {
    fatal_ring_.lost();
  }
}

void HostModule::begin_invalidation() {
  ++invalidations_open_;
  mmu_bank_.set<INVALIDATE_STATUS>(INVALIDATE_STATUS_BUSY::put(1) | INVALIDATE_STATUS_DONE::put(invalidations_done_));
  dispatcher_->invalidate(0, static_cast<std::uint16_t>(mmu_bank_.get<INVALIDATE_PASID>()),
                          VirtAddr{mmu_bank_.get64<INVALIDATE_VA_LO>()}, mmu_bank_.get64<INVALIDATE_BYTES_LO>());
}

// The SMs have acknowledged; a copy engine holds a translation only while a piece is under way.
void HostModule::handle(const Invalidated&) {
  watch_waits();
  for (CopyEngineModule* engine : ports_.copy_engines) {
    if (engine->moving()) wait(engine->piece_ended());
  }
  --invalidations_open_;
  ++invalidations_done_;
  mmu_bank_.set<INVALIDATE_STATUS>(INVALIDATE_STATUS_BUSY::put(invalidations_open_ != 0) |
                                   INVALIDATE_STATUS_DONE::put(invalidations_done_));
  ports_.firmware_irq(reg::gsp_local::IRQ_PENDING_MMU::put(1));
}

// Everything of the contexts goes at once; serve() then finds nothing of them, and hears of the workers' acknowledgements.
void HostModule::reset() {
  for (unsigned pasid = 0; pasid < spec_.contexts; ++pasid) {
    if (!scheduler_.queues_of(static_cast<std::uint16_t>(pasid)).empty()) drop_work(static_cast<std::uint16_t>(pasid));
  }
  scheduler_.reset();
  stop_.reset();
  ended_.clear();
  copy_faults_.clear();
  host_bank_.reset();
  mmu_bank_.reset();
  connect_status();
  ports_.mmu.set_context_table(DevAddr{0});
  wake_.notify(sc_core::SC_ZERO_TIME);
  const auto working = [this] {
    return !stops_open_.empty() || invalidations_open_ != 0 ||
           !std::ranges::all_of(ports_.copy_engines, [](const auto* engine) { return engine->idle(); });
  };
  while (working()) wait(mail_read_ | ports_.copy_jobs.ended);
}

}  // namespace castor::gpu
