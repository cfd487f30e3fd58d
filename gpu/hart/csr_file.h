// The CSRs of a hart in machine mode: which exist, what they read, what sticks when written; trap entry and return.
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/hart/hart.h"

namespace castor::hart {

class CsrFile {
 public:
  CsrFile(const Spec& spec, State& state) : spec_(spec), state_(state) {}

  /// No value: the CSR does not exist (or not now), an illegal instruction.
  std::optional<std::uint64_t> read(unsigned number) const;
  bool write(unsigned number, std::uint64_t value);

  /// Enters the trap handler; `cause` as mcause has it.
  void enter_trap(std::uint64_t cause, std::uint64_t value);
  void trap_return();

  bool floats_on() const { return spec_.floats && (state_.mstatus & kFs) != 0; }
  bool interrupts_on() const { return (state_.mstatus & kMie) != 0; }
  std::uint64_t pending() const { return state_.mip & state_.mie; }

  static constexpr std::uint64_t kMie = 1 << 3, kMpie = 1 << 7, kMpp = 3 << 11, kFs = 3 << 13;
  static constexpr std::uint64_t kInterrupt = std::uint64_t{1} << 63;

 private:
  std::uint64_t mstatus() const;

  const Spec& spec_;
  State& state_;
};

}  // namespace castor::hart
