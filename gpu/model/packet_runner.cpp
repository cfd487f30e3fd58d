// HostModule: what each kind of packet does, from its start to its signal.
#include <algorithm>
#include <string>

#include "gpu/abi/address_space.h"
#include "gpu/abi/module.h"
#include "gpu/model/host_module.h"

namespace castor::gpu {
namespace {

bool in_range(std::uint32_t value, std::uint32_t most) { return value >= 1 && value <= most; }

bool good_shape(const castor_packet_dispatch& packet) {
  const auto& block = packet.block;
  const bool block_ok = std::ranges::all_of(block, [](auto n) { return in_range(n, CASTOR_CTA_MAX_THREADS); }) &&
                        std::uint32_t{block[0]} * block[1] * block[2] <= CASTOR_CTA_MAX_THREADS;
  return block_ok && in_range(packet.grid[0], 0x7fffffff) && in_range(packet.grid[1], 65535) &&
         in_range(packet.grid[2], 65535);
}

}  // namespace

VirtAddr HostModule::place_of(const Start& start) const {
  return start.descriptor.ring + start.ref.index % start.descriptor.entries * CASTOR_PACKET_BYTES;
}

bool HostModule::start_packet() {
  const auto start = scheduler_.next_start();
  if (!start) return false;
  if (const unsigned problem = packet_problem(start->packet)) {
    stop_by(problem, *start);
  } else {
    run(*start);
  }
  return true;
}

void HostModule::run(const Start& start) {
  switch (start.packet.type()) {
    case CASTOR_PACKET_DISPATCH: return run_dispatch(start);
    case CASTOR_PACKET_COPY:
    case CASTOR_PACKET_FILL: return run_copy(start);
    case CASTOR_PACKET_SEMAPHORE_WAIT: return run_wait(start);
    case CASTOR_PACKET_SEMAPHORE_SIGNAL: return store_and_end(start, start.packet.as<castor_packet_semaphore>().value);
    case CASTOR_PACKET_TIMESTAMP: return store_and_end(start, now_ns());
    default: return ended(start);
  }
}

void HostModule::run_dispatch(const Start& start) {
  const auto packet = start.packet.as<castor_packet_dispatch>();
  if (!good_shape(packet)) return stop_by(CASTOR_PACKET_BAD_GRID, start);
  if (packet.kernel % sizeof(castor_kernel_desc) != 0) return stop_by(CASTOR_PACKET_BAD_KERNEL, start);
  castor_kernel_desc desc{};
  const auto bytes = std::as_writable_bytes(std::span(&desc, 1));
  if (const Fault f = bus.read(start.descriptor.pasid, VirtAddr{packet.kernel}, bytes, ahead_)) {
    return stop_by(f, start);
  }
  if (desc.magic != CASTOR_KERNEL_MAGIC) return stop_by(CASTOR_PACKET_BAD_KERNEL, start);
  if (packet.local_bytes > spec_.local_bytes || packet.local_bytes < desc.local_bytes) {
    return stop_by(CASTOR_PACKET_BAD_LOCAL, start);
  }
  if (std::uint64_t{desc.shared_static} + packet.shared_dynamic + CASTOR_DYNAMIC_SHARED_ALIGN >
      spec_.shared_per_cta + CASTOR_DYNAMIC_SHARED_ALIGN) {
    return stop_by(CASTOR_PACKET_BAD_SHARED, start);
  }
  GridLaunch grid;
  grid.id = ++last_grid_;
  grid.cooperative = start.packet.has(CASTOR_PACKET_COOPERATIVE);
  grid.cta.context = start.descriptor.pasid;
  grid.cta.memory = &ports_.mmu.port(start.descriptor.pasid);
  grid.cta.grid = {packet.grid[0], packet.grid[1], packet.grid[2]};
  grid.cta.block = {packet.block[0], packet.block[1], packet.block[2]};
  grid.cta.grid_id = grid.id;
  grid.cta.kernel = VirtAddr{packet.kernel};
  grid.cta.entry = VirtAddr{packet.kernel + static_cast<std::uint64_t>(desc.entry)};
  grid.cta.params = VirtAddr{packet.params};
  grid.cta.shared_static = desc.shared_static;
  grid.cta.shared_dynamic = packet.shared_dynamic;
  grid.cta.local_bytes = packet.local_bytes;
  if (!scheduler_.valid(start.ref)) return;  // stopped while the descriptor was being read
  if (!dispatcher_->check(grid)) {
    return stop_by(grid.cooperative ? CASTOR_PACKET_TOO_LARGE : CASTOR_PACKET_BAD_SHARED, start);
  }
  clock_.reach(now_ns());
  grids_.emplace(grid.id, start);
  dispatcher_->start(grid);
}

void HostModule::run_copy(const Start& start) {
  ports_.copy_jobs.waiting.push_back({start, [this, start](const Fault& fault) {
                                        if (fault) {
                                          copy_faults_.push_back({start, fault});
                                        } else {
                                          ended(start);
                                        }
                                      }});
  ports_.copy_jobs.added.notify(sc_core::SC_ZERO_TIME);
}

void HostModule::run_wait(const Start& start) {
  const auto packet = start.packet.as<castor_packet_semaphore>();
  if (packet.address % 8 != 0) {
    return stop_by(Fault{FaultCause::misaligned_address, Access::read, 8, VirtAddr{packet.address}}, start);
  }
  std::uint64_t value = 0;
  const auto bytes = std::as_writable_bytes(std::span(&value, 1));
  if (const Fault f = bus.read(start.descriptor.pasid, VirtAddr{packet.address}, bytes, ahead_)) {
    return stop_by(f, start);
  }
  if (value >= packet.value) return ended(start);
  if (!scheduler_.valid(start.ref)) return;
  waits_.push_back(start);
  watch_waits();
}

void HostModule::look_at_waits() {
  std::list<Start> waits;
  waits.swap(waits_);
  for (const Start& wait : waits) {
    if (scheduler_.valid(wait.ref)) run_wait(wait);
  }
}

// The watch looks through host pointers, so it gets new ones whenever a translation may have changed.
void HostModule::watch_waits() {
  std::vector<SemaphoreWatch::Word> words;
  for (const Start& wait : waits_) {
    const auto packet = wait.packet.as<castor_packet_semaphore>();
    const auto at = ports_.mmu.translate(wait.descriptor.pasid, VirtAddr{packet.address}, Access::read);
    if (at.fault != FaultCause::none) {
      mailbox_.post(SemaphoreReached{});  // run_wait will say what is wrong
    } else {
      words.push_back({at.host + (packet.address - at.page.value), packet.value});
    }
  }
  watch_.watch(std::move(words));
}

void HostModule::store_and_end(const Start& start, std::uint64_t value) {
  const VirtAddr address{start.packet.as<castor_packet_semaphore>().address};
  if (address.value % 8 != 0) {
    return stop_by(Fault{FaultCause::misaligned_address, Access::write, 8, address}, start);
  }
  const auto bytes = std::as_bytes(std::span(&value, 1));
  if (const Fault f = bus.write(start.descriptor.pasid, address, bytes, ahead_)) return stop_by(f, start);
  ended(start);
  if (!waits_.empty()) look_at_waits();
}

bool HostModule::finish_packet() {
  if (ended_.empty()) return false;
  const Start start = ended_.front();
  ended_.pop_front();
  if (!scheduler_.valid(start.ref)) return true;
  if (const VirtAddr signal{start.packet.signal()}; signal.value != 0) {
    const std::uint64_t value = start.packet.signal_value();
    const auto bytes = std::as_bytes(std::span(&value, 1));
    Fault fault{FaultCause::misaligned_address, Access::write, 8, signal};
    if (signal.value % 8 == 0) fault = bus.write(start.descriptor.pasid, signal, bytes, ahead_);
    if (fault) {
      stop_by(fault, start);
      return true;
    }
    if (!waits_.empty()) look_at_waits();
  }
  if (!scheduler_.valid(start.ref)) return true;  // stopped while the signal was on its way
  if (start.packet.has(CASTOR_PACKET_INTERRUPT)) ports_.interrupts.raise(start.descriptor.vector);
  scheduler_.complete(start.ref);
  return true;
}

}  // namespace castor::gpu
