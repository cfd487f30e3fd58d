// The two targets of LLVM that we use: NVPTX tells the optimiser how a GPU behaves (divergent branches, convergent
// operations), RISC-V generates the code.
#pragma once

#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace castor::compiler {

std::unique_ptr<llvm::TargetMachine> nvptx_target();
std::unique_ptr<llvm::TargetMachine> riscv_target(unsigned optimize);

/// -march of device code as LLVM feature string; the instruction set that gpu/isa has rows for.
extern const char* const kDeviceFeatures;

}  // namespace castor::compiler
