// The lowering of NVVM IR to what LLVM's RISC-V back end takes, pass by pass, in the order in which they run.
// What holds before and after each is said at the head of its file.
#pragma once

#include <string_view>

#include "compiler/module/device_module.h"
#include "platform/core/status.h"

namespace castor::compiler {

Status reject_inline_ptx(DeviceModule& module);
Status find_kernels(DeviceModule& module);
Status rewrite_kernels(DeviceModule& module);
Status call_library(DeviceModule& module);
Status link_library(DeviceModule& module, std::string_view library_path);
Status internalize(DeviceModule& module);
Status optimize(DeviceModule& module);
Status lay_out_shared(DeviceModule& module);
Status lower_intrinsics(DeviceModule& module);
Status lower_atomics(DeviceModule& module);
Status expand_memory(DeviceModule& module);
Status flatten_address_spaces(DeviceModule& module);
Status simplify(DeviceModule& module);
Status check_undefined(DeviceModule& module);
Status describe_kernels(DeviceModule& module);

}  // namespace castor::compiler
