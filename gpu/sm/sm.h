// Sm: one streaming multiprocessor. Holds resident CTAs and executes them; knows no SystemC and no other SM.
//
// One host thread at a time uses an SM (launch, run, and the looks inside); different SMs run on different threads, and
// guest memory is accessed with host atomics where the guest asks for atomicity. Only the members under "Requests" may be
// called from other threads while it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gpu/sm/launch.h"
#include "gpu/sm/report.h"
#include "gpu/sm/warp_state.h"
#include "platform/core/status.h"

namespace castor::sm {

class Sm {
 public:
  explicit Sm(const SmSpec& spec);
  ~Sm();
  Sm(Sm&&) noexcept;

  const SmSpec& spec() const;

  /// Whether the CTA could ever run here; if not, the status says which limit it breaks.
  Status check(const CtaLaunch& cta) const;
  /// Whether there is room now.
  bool can_accept(const CtaLaunch& cta) const;
  /// Makes the CTA resident. `busy` when there is no room, `invalid_value` as `check` says.
  Status launch(const CtaLaunch& cta);

  /// Executes about `max_instructions` warp instructions over the resident CTAs, round-robin. Comes back earlier when a CTA
  /// has ended, when a thread has faulted, and when nothing is left to do.
  RunReport run(std::uint64_t max_instructions);

  unsigned resident_ctas() const;
  const SmStats& stats() const;

  // Requests: from any thread, also while `run` executes. They take effect between two instructions, within a slice.
  /// Drops the context's CTAs and translations, cached code included.
  using Ticket = std::uint64_t;
  Ticket cancel(std::uint16_t context);
  /// Forgets translations and decoded code of the range (0 bytes: all of the context).
  Ticket invalidate_translations(std::uint16_t context, VirtAddr address, std::uint64_t bytes);
  /// True once the request can no longer be overtaken by an older translation or instruction.
  bool done(Ticket ticket) const;
  /// Makes a running `run` come back soon.
  void interrupt();

  // Looks inside, for the debugger and for tests; between two calls of run.
  struct WarpView {
    const CtaLaunch* cta;
    unsigned cta_slot, warp;  // warp number in the CTA
    WarpState* state;
  };
  unsigned warp_count() const;
  WarpView warp(unsigned number);
  /// Bytes of a CTA's shared memory.
  std::span<std::byte> shared(unsigned cta_slot);
  /// Host address of a byte of a thread's local memory, null when out of range.
  std::byte* local(unsigned cta_slot, unsigned thread, VirtAddr address);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace castor::sm
