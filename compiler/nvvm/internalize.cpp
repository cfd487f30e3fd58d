// internalize
//   before: every __device__ function and variable is visible outside of the module
//   after:  only kernels and the variables that the host can name are; functions nobody calls are gone
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <set>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {

Status internalize(DeviceModule& module) {
  std::set<std::string, std::less<>> kernels;
  for (const auto& kernel : module.kernels) kernels.insert(kernel.name);
  llvm::internalizeModule(*module.ir, [&kernels](const llvm::GlobalValue& value) {
    if (llvm::isa<llvm::Function>(value)) return kernels.contains(value.getName());
    return value.getAddressSpace() != 3;  // a shared variable has no address outside of its CTA
  });
  llvm::ModuleAnalysisManager analyses;
  llvm::PassBuilder().registerModuleAnalyses(analyses);
  llvm::GlobalDCEPass().run(*module.ir, analyses);
  return {};
}

}  // namespace castor::compiler
