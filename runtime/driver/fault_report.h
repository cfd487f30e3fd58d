// A fault record in words, on stderr: kernel, block, thread, address, kind, source line.
#pragma once

#include <cstdint>

#include "gpu/abi/fault_record.h"
#include "runtime/driver/api.h"

namespace castor::driver {

class Context;

/// The CUDA error that a cause (castor::FaultCause) ends a context with.
CUresult result_of_fault(std::uint8_t cause);
/// Writes the report and returns the error.
CUresult report_fault(Context& context, const castor_fault_record& record);

}  // namespace castor::driver
