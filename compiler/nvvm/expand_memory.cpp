// expand_memory
//   before: memcpy, memmove and memset intrinsics of any size
//   after:  only those are left that the back end turns into a few loads and stores; the others are loops, since device
//           code has no C library to call
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include "compiler/codegen/target.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

constexpr std::uint64_t kInlineStores = 8;  // as many as the RISC-V back end makes before it calls memcpy

bool stays_inline(const MemIntrinsic& intrinsic) {
  const auto* length = dyn_cast<ConstantInt>(intrinsic.getLength());
  if (length == nullptr) return false;
  std::uint64_t unit = std::min<std::uint64_t>(8, intrinsic.getDestAlign().valueOrOne().value());
  if (const auto* transfer = dyn_cast<MemTransferInst>(&intrinsic))
    unit = std::min(unit, transfer->getSourceAlign().valueOrOne().value());
  // Odd tails need a store for each bit of the remainder.
  const std::uint64_t size = length->getZExtValue();
  return size / unit + static_cast<unsigned>(popcount(size % unit)) <= kInlineStores;
}

void expand(MemIntrinsic& intrinsic, const TargetTransformInfo& costs) {
  if (auto* copy = dyn_cast<MemCpyInst>(&intrinsic)) {
    expandMemCpyAsLoop(copy, costs);
  } else if (auto* move = dyn_cast<MemMoveInst>(&intrinsic)) {
    if (!expandMemMoveAsLoop(move, costs)) return;
  } else if (auto* set = dyn_cast<MemSetInst>(&intrinsic)) {
    expandMemSetAsLoop(set);
  }
  intrinsic.eraseFromParent();
}

}  // namespace

Status expand_memory(DeviceModule& module) {
  const auto target = riscv_target(module.optimize);
  for (auto& function : *module.ir) {
    SmallVector<MemIntrinsic*> found;
    for (auto& instruction : instructions(function))
      if (auto* intrinsic = dyn_cast<MemIntrinsic>(&instruction); intrinsic != nullptr && !stays_inline(*intrinsic))
        found.push_back(intrinsic);
    if (found.empty()) continue;
    const auto costs = target->getTargetTransformInfo(function);
    for (auto* intrinsic : found) expand(*intrinsic, costs);
  }
  return {};
}

}  // namespace castor::compiler
