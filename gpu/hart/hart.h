// Hart: one scalar RV64 processor in machine mode. The GSP's core, and the base of the host's harts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "platform/core/bus.h"
#include "platform/core/guest.h"

namespace castor::hart {

/// Why `run` came back.
enum class StopReason : std::uint8_t {
  budget,     // as many instructions as asked for have retired
  wfi,        // waiting for an interrupt, and none is pending: do not call again before something changes
  locked_up,  // the trap handler itself cannot be fetched: only a reset helps
  halted,     // `halt()` was called (by a bus handler)
};

/// Interrupt lines, by their bit in mip and mie.
enum class Line : std::uint8_t { software = 3, timer = 7, external = 11 };

/// Causes as mcause names them (privileged specification, table 14); interrupts have bit 63 set.
enum class Trap : std::uint64_t {
  fetch_misaligned = 0,
  fetch_fault = 1,
  illegal = 2,
  breakpoint = 3,
  load_misaligned = 4,
  load_fault = 5,
  store_misaligned = 6,
  store_fault = 7,
  ecall_m = 11,
};

struct Spec {
  std::uint64_t hart_id = 0;  // mhartid
  bool floats = true;         // F, D and the extensions on top of them; without them their instructions are illegal
};

/// All that software can see; trivially copyable, so that checkpoint and reset are assignments.
struct State {
  std::array<std::uint64_t, 32> x{};
  std::array<std::uint64_t, 32> f{};  // NaN-boxed when narrower than 64 bits
  std::uint64_t pc = 0;
  std::uint32_t fcsr = 0;  // frm in bits 7..5, fflags in bits 4..0
  std::uint64_t mstatus = 0, mie = 0, mip = 0, mtvec = 0, mscratch = 0, mepc = 0, mcause = 0, mtval = 0;
  std::uint64_t instret = 0;
  std::uint64_t time = 0;              // what the `time` CSR reads; the owner sets it
  std::uint64_t reserved_address = 0;  // of the last lr
  std::uint64_t reserved_value = 0;
  bool reserved = false;
  bool waiting = false;  // in a wfi
};

class Hart {
 public:
  /// `mmio` answers everything that no RAM region covers. Misaligned accesses trap.
  Hart(const Spec& spec, Bus& mmio);
  ~Hart();
  Hart(Hart&&) noexcept;

  /// Memory that is reached directly. The bytes stay the caller's and must outlive the hart. Accesses that lie wholly
  /// inside are host loads and stores (atomics are host atomics), all others go to the bus. Regions do not overlap.
  void add_ram(BusAddr base, std::span<std::byte> bytes, bool writable = true);

  /// Architectural reset: pc as given, interrupts off, registers zero, RAM untouched.
  void reset(std::uint64_t pc);

  /// Executes at most `max_instructions`; takes pending interrupts between instructions.
  StopReason run(std::uint64_t max_instructions);
  StopReason step() { return run(1); }

  /// Level of an interrupt line; read by the hart at the next instruction. Call from the thread that runs the hart.
  void set_interrupt(Line line, bool level);
  /// Makes `run` return after the current instruction.
  void halt();
  /// Whether an enabled interrupt is pending (a `wfi` would fall through).
  bool wakes() const;

  State& state();
  const State& state() const;

  /// Writes to code that the hart has not seen itself (DMA, a loader) must be told: drops decoded instructions.
  void flush_code();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace castor::hart
