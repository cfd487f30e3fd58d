// Our passes over machine code.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

#include <map>
#include <set>
#include <string>

namespace castor::compiler {

/// What one function takes of a thread, and whom it calls.
struct FunctionUsage {
  std::uint64_t frame_bytes = 0;
  unsigned registers = 0;  // in 32-bit units, as CUDA counts
  bool calls_indirectly = false;
  std::set<std::string> callees;
};
using UsageTable = std::map<std::string, FunctionUsage>;

/// Orders blocks in reverse post-order with loops contiguous: what min-PC scheduling reconverges best on.
llvm::MachineFunctionPass* create_order_blocks_pass();
/// Kernels keep no registers for a caller.
llvm::MachineFunctionPass* create_drop_saves_pass(const std::set<std::string>& kernels);
/// Writes down what each function uses, when its frame is final.
llvm::MachineFunctionPass* create_collect_usage_pass(UsageTable& table);

}  // namespace castor::compiler
