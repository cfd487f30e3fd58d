// RISC-V code for a lowered module: a relocatable object, and what the kernels need of registers and stack.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/module/device_module.h"
#include "platform/core/result.h"

namespace castor::compiler {

/// Fills in local_bytes, registers and flags of the kernels' descriptors.
Result<std::vector<std::uint8_t>> emit_object(DeviceModule& module);

}  // namespace castor::compiler
