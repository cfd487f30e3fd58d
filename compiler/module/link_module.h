// The last step of a GPU module: relocatable object to position-independent ELF, with the descriptors filled in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/module/device_module.h"
#include "platform/core/result.h"

namespace castor::compiler {

Result<std::vector<std::uint8_t>> link_module(const DeviceModule& module, std::span<const std::uint8_t> object);

}  // namespace castor::compiler
