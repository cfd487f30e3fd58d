// optimize
//   before: NVVM IR as the front end wrote it
//   after:  the same program, optimised as for a GPU: LLVM's standard pipeline under NVPTX's target description, which
//           knows that branches diverge. Convergent operations keep their place
#include <llvm/Passes/PassBuilder.h>

#include "compiler/codegen/target.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

llvm::OptimizationLevel level_of(unsigned optimize) {
  switch (optimize) {
    case 0: return llvm::OptimizationLevel::O0;
    case 1: return llvm::OptimizationLevel::O1;
    case 2: return llvm::OptimizationLevel::O2;
    default: return llvm::OptimizationLevel::O3;
  }
}

}  // namespace

Status optimize(DeviceModule& module) {
  const auto target = nvptx_target();
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(target.get(), tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const auto level = level_of(module.optimize);
  auto pipeline = level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                       : builder.buildPerModuleDefaultPipeline(level);
  pipeline.run(*module.ir, modules);
  return {};
}

}  // namespace castor::compiler
