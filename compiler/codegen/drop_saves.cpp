// A kernel has no caller whose registers it must keep: the stores and loads of callee-saved registers around its body go.
// The return address stays, since a kernel that calls functions still returns to the exit stub.
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/codegen/machine_passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

/// Stack slots that hold saved registers other than ra.
std::set<int> slots_of_saves(const MachineFunction& function) {
  const auto return_address = function.getSubtarget().getRegisterInfo()->getRARegister();
  std::set<int> slots;
  for (const auto& save : function.getFrameInfo().getCalleeSavedInfo())
    if (save.getReg() != return_address) slots.insert(save.getFrameIdx());
  return slots;
}

/// Whether all that the instruction does is to move a register to or from one of the slots.
bool uses_slot(const MachineInstr& instruction, const std::set<int>& slots) {
  if (!instruction.hasOneMemOperand()) return false;
  const auto* place = (*instruction.memoperands_begin())->getPseudoValue();
  const auto* slot = dyn_cast_or_null<FixedStackPseudoSourceValue>(place);
  return slot != nullptr && slots.contains(slot->getFrameIndex());
}

class DropSaves : public MachineFunctionPass {
 public:
  static char ID;
  explicit DropSaves(const std::set<std::string>& kernels) : MachineFunctionPass(ID), kernels_(kernels) {}

  StringRef getPassName() const override { return "Castor: drop saves"; }

  bool runOnMachineFunction(MachineFunction& function) override {
    if (!kernels_.contains(function.getName().str())) return false;
    const auto slots = slots_of_saves(function);
    bool changed = false;
    for (auto& block : function) {
      for (auto& instruction : make_early_inc_range(block)) {
        if (!uses_slot(instruction, slots)) continue;
        instruction.eraseFromParent();
        changed = true;
      }
    }
    return changed;
  }

 private:
  std::set<std::string> kernels_;
};

char DropSaves::ID = 0;

}  // namespace

MachineFunctionPass* create_drop_saves_pass(const std::set<std::string>& kernels) { return new DropSaves(kernels); }

}  // namespace castor::compiler
