// A device module on its way from NVVM IR to an ELF file, with what the passes find out about its kernels.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/abi/module.h"

namespace castor::compiler {

struct Kernel {
  std::string name;
  std::vector<castor_note_param> params;
  castor_kernel_desc desc{};
};

struct DeviceModule {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> ir;
  std::vector<Kernel> kernels;
  unsigned arch = 120;    // 10 * major + minor
  unsigned optimize = 3;  // -O of the device code

  llvm::Function* function(const Kernel& kernel) const { return ir->getFunction(kernel.name); }
};

}  // namespace castor::compiler
