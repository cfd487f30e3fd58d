#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/codegen/machine_passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

void note_operand(const MachineOperand& operand, bool is_call, std::set<MCRegister>& registers, FunctionUsage& usage) {
  if (operand.isReg() && operand.getReg().isPhysical() && !operand.isImplicit())
    registers.insert(operand.getReg().asMCReg());
  if (!is_call) return;
  if (operand.isGlobal()) usage.callees.insert(operand.getGlobal()->getName().str());
  if (operand.isSymbol()) usage.callees.insert(operand.getSymbolName());
}

FunctionUsage usage_of(const MachineFunction& function) {
  FunctionUsage usage;
  usage.frame_bytes = function.getFrameInfo().getStackSize();
  std::set<MCRegister> registers;
  for (const auto& block : function) {
    for (const auto& instruction : block) {
      if (instruction.isDebugInstr()) continue;
      const bool is_call = instruction.isCall();
      const auto direct = [](const MachineOperand& operand) { return operand.isGlobal() || operand.isSymbol(); };
      if (is_call && std::none_of(instruction.operands_begin(), instruction.operands_end(), direct))
        usage.calls_indirectly = true;
      for (const auto& operand : instruction.operands()) note_operand(operand, is_call, registers, usage);
    }
  }
  usage.registers = static_cast<unsigned>(registers.size());
  return usage;
}

class CollectUsage : public MachineFunctionPass {
 public:
  static char ID;
  explicit CollectUsage(UsageTable& table) : MachineFunctionPass(ID), table_(table) {}

  StringRef getPassName() const override { return "Castor: collect usage"; }
  void getAnalysisUsage(AnalysisUsage& usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction& function) override {
    table_[function.getName().str()] = usage_of(function);
    return false;
  }

 private:
  UsageTable& table_;
};

char CollectUsage::ID = 0;

}  // namespace

MachineFunctionPass* create_collect_usage_pass(UsageTable& table) { return new CollectUsage(table); }

}  // namespace castor::compiler
