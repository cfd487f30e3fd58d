// CopyEngineModule: a CopyEngine with sockets and time. Takes jobs from the queue that all copy engines share.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "gpu/model/bus_master.h"
#include "gpu/model/copy_engine.h"
#include "gpu/model/queue_scheduler.h"

namespace castor::gpu {

struct CopyJob {
  QueueScheduler::Start start;
  std::function<void(const Fault&)> ended;  // from the engine's process
};

/// Jobs that no engine has taken yet.
struct CopyJobs {
  std::deque<CopyJob> waiting;
  sc_core::sc_event added, ended;
};

class CopyEngineModule : public sc_core::sc_module {
 public:
  CopyEngineModule(sc_core::sc_module_name name, const CopyEngine::Spec& spec, const Mmu& mmu, CopyJobs& jobs);

  BusMaster bus;

  CopyEngine& engine() { return engine_; }
  /// A piece is under way, with the translations it began with; `piece_ended` follows.
  bool moving() const { return moving_; }
  const sc_core::sc_event& piece_ended() const { return piece_ended_; }
  /// The job is given up at the next piece if it is of this context.
  void stop_context(std::uint16_t pasid);
  bool works_for(std::uint16_t pasid) const;
  bool idle() const { return current_ == nullptr; }

 private:
  void serve();
  Fault execute(const CopyJob& job);
  Fault move(const CopyEngine::Piece& piece, sc_core::sc_time& ahead);

  const Mmu& mmu_;
  CopyJobs& jobs_;
  CopyEngine engine_;
  std::vector<std::byte> buffer_;
  sc_core::sc_event piece_ended_;
  const CopyJob* current_ = nullptr;
  bool moving_ = false, stop_ = false;
};

}  // namespace castor::gpu
