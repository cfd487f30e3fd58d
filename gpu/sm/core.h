// The parts of an SM that its files share: contexts, resident CTAs and their warps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/sm/code_cache.h"
#include "gpu/sm/exec.h"
#include "gpu/sm/host_memory.h"
#include "gpu/sm/launch.h"
#include "gpu/sm/report.h"

namespace castor::sm {

inline constexpr unsigned kBarriers = 16;

/// What an SM keeps of one address space.
struct Context {
  std::uint16_t pasid = 0;
  MemoryPort* memory = nullptr;
  CodeCache code;
  bool exact_floats = false;
  std::uint64_t grid_id = 0;  // grid whose code was last compared with memory
  bool seen_grid = false;
  Tlb tlb;                       // what the inner loop looks at
  std::vector<HostRange> pages;  // second level, larger

  static constexpr unsigned kPageBits = 10;
  explicit Context(const Engine& engine) : code(engine), pages(std::size_t{1} << kPageBits) {}
  void forget_translations();
};

struct Cta;

/// A resident warp.
struct Warp {
  WarpState state;
  Cta* cta = nullptr;
  unsigned number = 0;  // in the CTA
  std::uint16_t tid[3][kWarpLanes];
  unsigned first_thread = 0;  // what tid[] was made for
  Dim3 block{0, 0, 0};
  std::uint32_t used_x = ~0u, used_f = ~0u;  // registers that are not zero for sure; clearing all of them costs as much
                                             // as a short kernel
  LaneMask window = kAllLanes;               // lanes that may run in this turn (all, or a group that was kept waiting)
  LaneMask ran = 0;                          // lanes that have run in the current slice
  std::int64_t slice_left = 0;               // instructions until the next look at who has been kept waiting
  std::uint64_t last_turn[kWarpLanes] = {};
  std::uint64_t turns = 0;
};

/// One CTA barrier: how many have come, and what their predicates were.
struct Barrier {
  std::uint32_t arrived = 0;
  std::uint32_t expected = 0;  // 0: all threads of the CTA that have not ended
  std::uint32_t yes = 0;       // arrivals with a true predicate
  std::uint8_t op = 0;         // semantics::BarrierOp of the last one that waits
};

struct Cta {
  CtaLaunch launch{};
  unsigned slot = 0;
  bool resident = false, frozen = false;
  Context* context = nullptr;
  std::vector<std::unique_ptr<Warp>> warps;
  unsigned warps_used = 0;
  std::uint32_t live_threads = 0;
  std::uint32_t local_bytes = 0;  // of a thread
  Barrier barriers[kBarriers];
  HostMemory shared, local;

  std::uint64_t shared_base(const SmSpec& spec) const;
  std::uint64_t local_base(const SmSpec& spec, unsigned thread) const;  // start of a thread's window
  bool can_run() const;
};

/// Lanes that have arrived at CTA barriers (operands in Exec): waits, counts, lets go. False after setting the fault.
bool arrive_at_barriers(Exec& x, Cta& cta);
/// Threads have ended: barriers of the whole CTA may be complete now.
void recheck_barriers(Cta& cta);
/// Executes operations with lane masks whose lanes are all there.
void release_sync(Exec& x, Warp& warp, const Engine& engine);

/// What a warp's turn came to.
enum class Turn : std::uint8_t { over, fault };
/// Executes one warp for at most `budget` instructions.
Turn run_warp(Exec& x, Warp& warp, const Engine& engine, const SmSpec& spec, std::int64_t budget);

/// The interpreter for a level; `best` is what the host's processor can do.
const Engine& engine_for(CpuLevel level);

/// Record of a fault that Exec holds.
SmFault describe_fault(const Exec& x, const Warp& warp, const SmSpec& spec);
/// Record of a CTA in which no thread can go on.
SmFault describe_deadlock(const Cta& cta, const SmSpec& spec);

}  // namespace castor::sm
