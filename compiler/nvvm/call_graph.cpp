#include "compiler/nvvm/call_graph.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace castor::compiler {

CallGraph::CallGraph(const llvm::Module& module) {
  std::set<const llvm::Function*> address_taken;
  for (const auto& function : module)
    if (!function.isIntrinsic() && function.hasAddressTaken()) address_taken.insert(&function);
  for (const auto& function : module) {
    auto& callees = calls_[&function];
    for (const auto& block : function) {
      for (const auto& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || call->isInlineAsm()) continue;
        if (const auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts())) {
          callees.insert(callee);
        } else {
          callees.insert(address_taken.begin(), address_taken.end());
        }
      }
    }
  }
}

std::set<const llvm::Function*> CallGraph::reachable(const llvm::Function* from) const {
  std::set<const llvm::Function*> seen{from};
  std::vector<const llvm::Function*> open{from};
  while (!open.empty()) {
    const auto place = calls_.find(open.back());
    open.pop_back();
    if (place == calls_.end()) continue;
    for (const auto* callee : place->second)
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return seen;
}

}  // namespace castor::compiler
