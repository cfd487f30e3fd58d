#include "gpu/model/copy_engine_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/abi/register_view.h"
#include "platform/sim/time.h"

namespace castor::gpu {
namespace {
const sc_core::sc_time kQuantum(2, sc_core::SC_US);  // the engine runs this far ahead of the kernel
}

CopyEngineModule::CopyEngineModule(sc_core::sc_module_name name, const CopyEngine::Spec& spec, const Mmu& mmu,
                                   CopyJobs& jobs)
    : sc_module(name),
      bus(std::string("gpu.") + this->basename(), &mmu),
      mmu_(mmu),
      jobs_(jobs),
      engine_(spec),
      buffer_(spec.device_piece) {
  engine_.bank().on_write<reg::ce::CTRL>([this](std::uint32_t) { jobs_.added.notify(sc_core::SC_ZERO_TIME); });
  SC_HAS_PROCESS(CopyEngineModule);
  SC_THREAD(serve);
  set_stack_size(sim::kStackBytes);
}

void CopyEngineModule::serve() {
  while (true) {
    while (jobs_.waiting.empty() || !engine_.enabled()) wait(jobs_.added);
    const CopyJob job = std::move(jobs_.waiting.front());
    jobs_.waiting.pop_front();
    current_ = &job;
    stop_ = false;
    const Fault fault = execute(job);
    current_ = nullptr;
    if (!stop_) job.ended(fault);
    jobs_.ended.notify(sc_core::SC_ZERO_TIME);
  }
}

Fault CopyEngineModule::execute(const CopyJob& job) {
  sc_core::sc_time ahead;
  engine_.begin(job.start.descriptor.pasid, job.start.packet);
  while (true) {
    const CopyEngine::Piece piece = engine_.next(mmu_);
    if (piece.kind == CopyEngine::Piece::Kind::fault || piece.kind == CopyEngine::Piece::Kind::done) {
      sim::synchronize(ahead);
      return piece.fault;
    }
    moving_ = true;
    const Fault fault = move(piece, ahead);
    moving_ = false;
    piece_ended_.notify(sc_core::SC_ZERO_TIME);
    if (fault || stop_) {
      engine_.abort();
      return fault;
    }
    engine_.moved(piece.bytes);
    if (ahead > kQuantum) sim::synchronize(ahead);
    if (stop_) {
      engine_.abort();
      return {};
    }
  }
}

Fault CopyEngineModule::move(const CopyEngine::Piece& piece, sc_core::sc_time& ahead) {
  const std::span data(buffer_.data(), piece.bytes);
  if (piece.kind == CopyEngine::Piece::Kind::fill) {
    const std::uint32_t word = piece.pattern;
    for (std::size_t i = 0; i < piece.bytes; i += 4) {
      std::memcpy(&data[i], &word, std::min<std::size_t>(4, piece.bytes - i));
    }
  } else if (!bus.read(piece.source, data, ahead)) {
    return {FaultCause::illegal_address, Access::read, 0, VirtAddr{piece.source.address}};
  }
  if (!bus.write(piece.destination, data, ahead)) {
    return {FaultCause::illegal_address, Access::write, 0, VirtAddr{piece.destination.address}};
  }
  return {};
}

void CopyEngineModule::stop_context(std::uint16_t pasid) { stop_ |= works_for(pasid); }

bool CopyEngineModule::works_for(std::uint16_t pasid) const {
  return current_ != nullptr && current_->start.descriptor.pasid == pasid;
}

}  // namespace castor::gpu
