#include "compiler/codegen/emit_object.h"

#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCContext.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <fmt/format.h>

#include "compiler/codegen/machine_passes.h"
#include "compiler/codegen/target.h"

namespace castor::compiler {
namespace {

using namespace llvm;

/// Deepest stack below `name`; marks recursion, indirect calls and unknown callees as unbounded.
class StackDepth {
 public:
  explicit StackDepth(const UsageTable& table) : table_(table) {}

  struct Need {
    std::uint64_t bytes = 0;
    unsigned registers = 0;
    bool unbounded = false;
  };

  Need of(const std::string& name) {
    const auto place = table_.find(name);
    if (place == table_.end()) return {0, 0, true};
    if (const auto seen = known_.find(name); seen != known_.end()) return seen->second;
    if (!open_.insert(name).second) return {0, 0, true};
    Need need;
    need.unbounded = place->second.calls_indirectly;
    need.registers = place->second.registers;
    for (const auto& callee : place->second.callees) {
      const Need below = of(callee);
      need.bytes = std::max(need.bytes, below.bytes);
      need.registers = std::max(need.registers, below.registers);
      need.unbounded |= below.unbounded;
    }
    open_.erase(name);
    need.bytes += place->second.frame_bytes;
    return known_[name] = need;
  }

 private:
  const UsageTable& table_;
  std::set<std::string> open_;  // callers of the function being looked at
  std::map<std::string, Need> known_;
};

void fill_in(Kernel& kernel, StackDepth& depth) {
  const auto need = depth.of(kernel.name);
  kernel.desc.local_bytes = static_cast<std::uint32_t>(alignTo(need.bytes, 16));
  kernel.desc.registers = need.registers;
  if (need.unbounded) kernel.desc.flags |= CASTOR_KERNEL_UNBOUNDED_STACK;
}

}  // namespace

Result<std::vector<std::uint8_t>> emit_object(DeviceModule& module) {
  const auto target = riscv_target(module.optimize);
  auto& machine = static_cast<LLVMTargetMachine&>(*target);
  UsageTable usage;
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);

  legacy::PassManager passes;
  auto* machine_module = new MachineModuleInfoWrapperPass(&machine);  // owned by the pass manager
  auto* config = machine.createPassConfig(passes);
  for (AnalysisID pass : {&MachineBlockPlacementID, &TailDuplicateID, &EarlyTailDuplicateID}) config->disablePass(pass);
  std::set<std::string> kernels;
  for (const auto& kernel : module.kernels) kernels.insert(kernel.name);
  config->insertPass(&PrologEpilogCodeInserterID, create_drop_saves_pass(kernels));
  // The branch folder, after which blocks are ordered, does not run without optimisation.
  if (module.optimize != 0) config->insertPass(&BranchFolderPassID, create_order_blocks_pass());
  passes.add(config);
  passes.add(machine_module);
  if (config->addISelPasses())
    return Status(StatusCode::not_supported, "this LLVM has no RISC-V instruction selection");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(create_collect_usage_pass(usage));
  if (machine.addAsmPrinter(passes, stream, nullptr, CodeGenFileType::ObjectFile,
                            machine_module->getMMI().getContext()))
    return Status(StatusCode::not_supported, "this LLVM cannot write RISC-V objects");
  passes.add(createFreeMachineFunctionPass());
  passes.run(*module.ir);

  StackDepth depth(usage);
  for (auto& kernel : module.kernels) fill_in(kernel, depth);
  return std::vector<std::uint8_t>(object.begin(), object.end());
}

}  // namespace castor::compiler
