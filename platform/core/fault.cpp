#include "platform/core/fault.h"

namespace castor {

std::string_view name(FaultCause cause) {
  switch (cause) {
    case FaultCause::none: return "no fault";
    case FaultCause::illegal_instruction: return "illegal instruction";
    case FaultCause::illegal_address: return "illegal address";
    case FaultCause::permission: return "access not permitted";
    case FaultCause::misaligned_address: return "misaligned address";
    case FaultCause::invalid_address_space: return "address outside the 48-bit space";
    case FaultCause::out_of_range_shared: return "shared memory address out of range";
    case FaultCause::out_of_range_local: return "local memory address out of range";
    case FaultCause::stack_overflow: return "stack overflow";
    case FaultCause::invalid_pc: return "jump to an address that holds no code";
    case FaultCause::trap: return "trap";
    case FaultCause::breakpoint: return "breakpoint";
    case FaultCause::barrier_deadlock: return "barrier that can never complete";
    case FaultCause::assert_failed: return "assertion failed";
    case FaultCause::timeout: return "time limit exceeded";
    case FaultCause::invalid_packet: return "queue packet that makes no sense";
  }
  return "unknown fault";
}

std::string_view name(Access access) {
  switch (access) {
    case Access::read: return "read";
    case Access::write: return "write";
    case Access::execute: return "execute";
    case Access::atomic: return "atomic";
  }
  return "access";
}

}  // namespace castor
