// simplify
//   before: RISC-V IR with what the lowering left behind
//   after:  the same without the leavings: casts, dead code, repeated address arithmetic
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "compiler/codegen/target.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {

Status simplify(DeviceModule& module) {
  const auto target = riscv_target(module.optimize);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(target.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager pipeline;
  if (module.optimize != 0) {
    llvm::FunctionPassManager cleanup;
    cleanup.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    cleanup.addPass(llvm::EarlyCSEPass(true));
    cleanup.addPass(llvm::InstCombinePass());
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(cleanup)));
  }
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.run(*module.ir, modules);
  return {};
}

}  // namespace castor::compiler
