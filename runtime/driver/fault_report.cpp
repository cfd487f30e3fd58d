#include "runtime/driver/fault_report.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "platform/core/fault.h"
#include "runtime/driver/context.h"
#include "runtime/driver/module.h"
#include "runtime/driver/source_lines.h"

namespace castor::driver {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

bool has_address(FaultCause cause) {
  switch (cause) {
    case FaultCause::illegal_address:
    case FaultCause::permission:
    case FaultCause::misaligned_address:
    case FaultCause::invalid_address_space:
    case FaultCause::out_of_range_shared:
    case FaultCause::out_of_range_local:
    case FaultCause::stack_overflow: return true;
    default: return false;
  }
}

std::string what_happened(const castor_fault_record& record) {
  const auto cause = static_cast<FaultCause>(record.cause);
  if (cause == FaultCause::trap && record.detail == CASTOR_TRAP_ASSERT)
    return std::string(name(FaultCause::assert_failed));
  std::string text(name(cause));
  if (has_address(cause)) {
    text += fmt::format(": {} of {} byte{} at {:#x}", name(static_cast<Access>(record.access)), record.size,
                        record.size == 1 ? "" : "s", record.address);
  } else if (cause == FaultCause::invalid_pc) {
    text += fmt::format(": {:#x}", record.address);
  } else if (cause == FaultCause::trap || cause == FaultCause::barrier_deadlock ||
             cause == FaultCause::invalid_packet) {
    text += fmt::format(" ({})", record.detail);
  }
  return text;
}

/// "8 bytes after the end of 4096 bytes at 0x… (device memory)"
std::string where_it_points(const Context& context, const MemoryMap& memory, std::uint64_t address) {
  if (address < 4096) return "the address is null, or near it";
  const auto near = memory.nearest(address);
  if (!near) return {};
  const std::uint64_t end = near->va + near->bytes;
  const char* kind = near->host() ? "host memory" : near->kind == MemoryKind::module ? "a module" : "device memory";
  if (address >= near->va && address < end) {
    return fmt::format("the address is {} bytes into {} bytes of {} at {:#x}", address - near->va, near->bytes, kind,
                       near->va);
  }
  const std::uint64_t distance = address >= end ? address - end : near->va - address;
  if (distance > (64u << 20))
    return context.reserves(address) ? "no memory is allocated near the address" : std::string();
  return fmt::format("the address is {} bytes {} {} bytes of {} at {:#x}", distance,
                     address >= end ? "after the end of" : "before", near->bytes, kind, near->va);
}

std::string source_place(const Context& context, std::uint64_t pc) {
  const Module* module = find_module(context, pc);
  if (module == nullptr) return fmt::format("pc {:#x}", pc);
  const std::string line = source_line(module->file, pc - module->base);
  return line.empty() ? fmt::format("pc {:#x} (module offset {:#x})", pc, pc - module->base)
                      : fmt::format("{} (pc {:#x})", line, pc);
}

}  // namespace

CUresult result_of_fault(std::uint8_t cause) {
  switch (static_cast<FaultCause>(cause)) {
    case FaultCause::illegal_instruction: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FaultCause::illegal_address:
    case FaultCause::permission:
    case FaultCause::out_of_range_shared:
    case FaultCause::out_of_range_local: return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultCause::misaligned_address: return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultCause::invalid_address_space: return CUDA_ERROR_INVALID_ADDRESS_SPACE;
    case FaultCause::stack_overflow: return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case FaultCause::invalid_pc: return CUDA_ERROR_INVALID_PC;
    case FaultCause::assert_failed: return CUDA_ERROR_ASSERT;
    case FaultCause::barrier_deadlock:
    case FaultCause::timeout: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FaultCause::none:
    case FaultCause::trap:
    case FaultCause::breakpoint:
    case FaultCause::invalid_packet: return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

CUresult report_fault(Context& context, const castor_fault_record& record) {
  say(LogLevel::error, what_happened(record));
  if (record.engine == CASTOR_FAULT_SM) {
    const Function* kernel = find_kernel(context, record.kernel);
    say(LogLevel::error,
        fmt::format("  in kernel {}, block ({},{},{}), thread ({},{},{})",
                    kernel != nullptr ? demangled(kernel->name) : "(unknown)", record.block[0], record.block[1],
                    record.block[2], record.thread[0], record.thread[1], record.thread[2]));
    say(LogLevel::error, "  at " + source_place(context, record.pc));
  } else {
    say(LogLevel::error, record.engine == CASTOR_FAULT_COPY ? "  in a copy or fill" : "  in the queue's own packets");
  }
  if (has_address(static_cast<FaultCause>(record.cause))) {
    const std::string place = where_it_points(context, context.memory(), record.address);
    if (!place.empty()) say(LogLevel::error, "  " + place);
  }
  const bool asserted =
      static_cast<FaultCause>(record.cause) == FaultCause::trap && record.detail == CASTOR_TRAP_ASSERT;
  return asserted ? CUDA_ERROR_ASSERT : result_of_fault(record.cause);
}

}  // namespace castor::driver
