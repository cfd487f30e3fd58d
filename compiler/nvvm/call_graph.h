// Which functions a kernel can reach, indirect calls taken as calls of every function whose address is taken.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <set>

namespace castor::compiler {

class CallGraph {
 public:
  explicit CallGraph(const llvm::Module& module);
  /// `from` and all it can reach.
  std::set<const llvm::Function*> reachable(const llvm::Function* from) const;

 private:
  std::map<const llvm::Function*, std::set<const llvm::Function*>> calls_;
};

}  // namespace castor::compiler
