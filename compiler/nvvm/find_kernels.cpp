// find_kernels
//   before: kernels and their launch bounds are named in the metadata !nvvm.annotations
//   after:  DeviceModule::kernels lists them; the metadata is gone
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <map>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using Annotations = std::map<std::string, unsigned, std::less<>>;

void read_annotation(const llvm::MDNode& node, std::map<llvm::Function*, Annotations>& found,
                     std::vector<llvm::Function*>& order) {
  auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node.getOperand(0));
  if (function == nullptr) return;
  if (!found.contains(function)) order.push_back(function);
  for (unsigned i = 1; i + 1 < node.getNumOperands(); i += 2) {
    auto* key = llvm::dyn_cast<llvm::MDString>(node.getOperand(i));
    auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node.getOperand(i + 1));
    if (key != nullptr && value != nullptr) found[function][key->getString().str()] = value->getZExtValue();
  }
}

unsigned value_or(const Annotations& annotations, std::string_view key, unsigned otherwise) {
  const auto place = annotations.find(key);
  return place == annotations.end() ? otherwise : place->second;
}

unsigned max_threads(const Annotations& annotations) {
  if (!annotations.contains("maxntidx")) return 0;
  return value_or(annotations, "maxntidx", 1) * value_or(annotations, "maxntidy", 1) *
         value_or(annotations, "maxntidz", 1);
}

}  // namespace

Status find_kernels(DeviceModule& module) {
  auto* annotations = module.ir->getNamedMetadata("nvvm.annotations");
  if (annotations == nullptr) return {};
  std::map<llvm::Function*, Annotations> found;
  std::vector<llvm::Function*> order;
  for (const auto* node : annotations->operands()) read_annotation(*node, found, order);
  for (auto* function : order) {
    const auto& facts = found[function];
    if (!facts.contains("kernel") || function->isDeclaration()) continue;
    Kernel kernel;
    kernel.name = function->getName().str();
    kernel.desc.magic = CASTOR_KERNEL_MAGIC;
    kernel.desc.ptx_version = module.arch;
    kernel.desc.max_threads = max_threads(facts);
    kernel.desc.min_blocks = value_or(facts, "minctasm", 0);
    module.kernels.push_back(std::move(kernel));
  }
  annotations->eraseFromParent();
  return {};
}

}  // namespace castor::compiler
