// Fault: the guest's doing. Data that travels to the fault ring, the driver and the debugger; never an exception.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/core/guest.h"

namespace castor {

/// Values are part of the hardware contract (gpu/abi/fault.h carries them in fault records).
enum class FaultCause : std::uint8_t {
  none = 0,
  illegal_instruction = 1,
  illegal_address = 2,        // nothing is mapped there
  permission = 3,             // mapped, but not for this kind of access
  misaligned_address = 4,     // address not a multiple of the access size
  invalid_address_space = 5,  // outside the 48-bit generic space
  out_of_range_shared = 6,    // past the CTA's shared window
  out_of_range_local = 7,     // past the thread's local window
  stack_overflow = 8,         // a store or load below the thread's stack
  invalid_pc = 9,             // jump to something that is not code
  trap = 10,                  // the trap instruction
  breakpoint = 11,            // ebreak with no debugger
  barrier_deadlock = 12,      // a barrier that can never complete
  assert_failed = 13,
  timeout = 14,         // the context ran past its time limit
  invalid_packet = 15,  // a queue packet that makes no sense
};

enum class Access : std::uint8_t { read = 0, write = 1, execute = 2, atomic = 3 };

/// What one instruction of one lane ran into. `none` means that nothing is wrong.
struct Fault {
  FaultCause cause = FaultCause::none;
  Access access = Access::read;
  std::uint8_t size = 0;  // bytes of the access, 0 if not a memory fault
  VirtAddr address{};     // the address accessed, or the target of a bad jump

  explicit operator bool() const { return cause != FaultCause::none; }
};

/// "misaligned address", "illegal instruction", … as a user reads it.
std::string_view name(FaultCause cause);
std::string_view name(Access access);

}  // namespace castor
