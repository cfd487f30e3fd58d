// Block order. A warp issues for the lanes at the lowest PC, so lanes reconverge if every block comes after those that lead
// to it and a loop's blocks stand together. LLVM's block placement (which rotates loops and duplicates tails) is off.
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

#include <algorithm>

#include "compiler/codegen/machine_passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;
using Block = MachineBasicBlock;

/// Lays out one loop (or the function): a depth-first walk in which an inner loop counts as one node.
class Layout {
 public:
  explicit Layout(const MachineLoopInfo& loops) : loops_(loops) {}

  void place(Block* entry, const MachineLoop* region, std::vector<Block*>& order) {
    std::vector<Block*> finished;
    std::set<Block*> seen{entry};
    walk(entry, region, seen, finished);
    for (auto* node : llvm::reverse(finished)) {
      const auto* inner = child(node, region);
      if (inner == nullptr) {
        order.push_back(node);
      } else {
        place(node, inner, order);
      }
    }
  }

 private:
  /// The loop directly inside `region` that holds `block`; null if the block lies in `region` itself.
  const MachineLoop* child(const Block* block, const MachineLoop* region) const {
    const MachineLoop* loop = loops_.getLoopFor(block);
    while (loop != nullptr && loop != region && loop->getParentLoop() != region) loop = loop->getParentLoop();
    return loop == region ? nullptr : loop;
  }

  std::vector<Block*> successors(Block* node, const MachineLoop* region) const {
    const auto* inner = child(node, region);
    SmallVector<Block*> targets;
    if (inner == nullptr) {
      targets.append(node->succ_begin(), node->succ_end());
    } else {
      inner->getExitBlocks(targets);
    }
    std::vector<Block*> nodes;
    for (auto* target : targets) {
      if (region != nullptr && !region->contains(target)) continue;
      const auto* loop = child(target, region);
      nodes.push_back(loop == nullptr ? target : loop->getHeader());
    }
    return nodes;
  }

  void walk(Block* start, const MachineLoop* region, std::set<Block*>& seen, std::vector<Block*>& finished) const {
    struct Frame {
      Block* node;
      std::vector<Block*> rest;
    };
    std::vector<Frame> stack{{start, successors(start, region)}};
    while (!stack.empty()) {
      auto& top = stack.back();
      if (top.rest.empty()) {
        finished.push_back(top.node);
        stack.pop_back();
        continue;
      }
      auto* next = top.rest.back();
      top.rest.pop_back();
      if (seen.insert(next).second) stack.push_back({next, successors(next, region)});
    }
  }

  const MachineLoopInfo& loops_;
};

/// A block that fell through keeps its target by a jump, where that is no longer next.
void mend_branches(Block& block, Block* falls_to) {
  const auto& instructions = *block.getParent()->getSubtarget().getInstrInfo();
  const auto next = std::next(block.getIterator());
  if (falls_to != nullptr && (next == block.getParent()->end() || &*next != falls_to))
    instructions.insertUnconditionalBranch(block, falls_to, block.findBranchDebugLoc());
  Block *taken = nullptr, *otherwise = nullptr;
  SmallVector<MachineOperand, 4> condition;
  if (!instructions.analyzeBranch(block, taken, otherwise, condition)) block.updateTerminator(falls_to);
}

class OrderBlocks : public MachineFunctionPass {
 public:
  static char ID;
  OrderBlocks() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Castor: order blocks"; }

  void getAnalysisUsage(AnalysisUsage& usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction& function) override {
    std::vector<Block*> order;
    Layout(getAnalysis<MachineLoopInfoWrapperPass>().getLI()).place(&function.front(), nullptr, order);
    std::map<const Block*, int> rank;
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<int>(i);
    // Unreachable blocks (there should be none) keep their place at the end.
    for (auto& block : function) rank.try_emplace(&block, static_cast<int>(rank.size()));
    std::map<Block*, Block*> falls_to;
    for (auto& block : function) falls_to[&block] = block.getFallThrough(false);
    function.sort([&rank](const Block& a, const Block& b) { return rank.at(&a) < rank.at(&b); });
    for (auto& block : function) mend_branches(block, falls_to[&block]);
    function.RenumberBlocks();
    return true;
  }
};

char OrderBlocks::ID = 0;

}  // namespace

MachineFunctionPass* create_order_blocks_pass() { return new OrderBlocks; }

}  // namespace castor::compiler
