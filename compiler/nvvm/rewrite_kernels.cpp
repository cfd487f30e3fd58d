// rewrite_kernels
//   before: a kernel takes its parameters as NVVM says, structures by `byval` pointer
//   after:  a kernel is `void k(ptr params)`; the parameter block's layout is in Kernel::params. Parameters are loaded from
//           the block, which nobody writes; a structure that the kernel changes or whose address escapes is copied first
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

Type* slot_type(const Argument& argument) {
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
}

Align slot_align(const Argument& argument, const DataLayout& layout) {
  const Align natural = layout.getABITypeAlign(slot_type(argument));
  return argument.hasByValAttr() ? std::max(natural, argument.getParamAlign().valueOrOne()) : natural;
}

void lay_out_params(const Function& function, Kernel& kernel) {
  const auto& layout = function.getParent()->getDataLayout();
  std::uint64_t offset = 0;
  for (const auto& argument : function.args()) {
    const Align align = slot_align(argument, layout);
    const auto size = static_cast<std::uint32_t>(layout.getTypeAllocSize(slot_type(argument)));
    offset = alignTo(offset, align);
    kernel.params.push_back({static_cast<std::uint32_t>(offset), size, static_cast<std::uint32_t>(align.value()), 0});
    offset += size;
  }
  kernel.desc.param_bytes = static_cast<std::uint32_t>(offset);
}

/// Whether all that happens to the memory behind `pointer` is that it is read.
bool only_read(const Value& pointer) {
  for (const auto* user : pointer.users()) {
    if (llvm::isa<LoadInst>(user)) {
      if (cast<LoadInst>(user)->isVolatile()) return false;
    } else if (llvm::isa<GetElementPtrInst>(user) || llvm::isa<AddrSpaceCastInst>(user)) {
      if (!only_read(*user)) return false;
    } else if (const auto* copy = dyn_cast<MemTransferInst>(user)) {
      if (copy->getRawDest() == &pointer) return false;
    } else {
      return false;
    }
  }
  return true;
}

Value* load_param(IRBuilder<>& builder, Value* place, Type* type, Align align) {
  Type* stored = type->isIntegerTy(1) ? builder.getInt8Ty() : type;
  auto* load = builder.CreateAlignedLoad(stored, place, align);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return stored == type ? static_cast<Value*>(load) : builder.CreateTrunc(load, type);
}

Value* copy_param(IRBuilder<>& builder, Value* place, Type* type, Align align) {
  const auto& layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  auto* copy = builder.CreateAlloca(type);
  copy->setAlignment(std::max(align, copy->getAlign()));
  builder.CreateMemCpy(copy, align, place, align, layout.getTypeAllocSize(type));
  return copy;
}

Function* create_rewritten(Function& old, const Kernel& kernel) {
  auto& context = old.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  auto* fresh = Function::Create(type, old.getLinkage(), "", old.getParent());
  fresh->takeName(&old);
  fresh->setAttributes(
      AttributeList().addFnAttributes(context, AttrBuilder(context, old.getAttributes().getFnAttrs())));
  fresh->copyMetadata(&old, 0);
  fresh->splice(fresh->begin(), &old);
  old.clearMetadata();

  auto* block = fresh->getArg(0);
  block->setName("params");
  AttrBuilder attributes(context);
  attributes.addAttribute(Attribute::NoAlias).addAttribute(Attribute::ReadOnly).addAttribute(Attribute::NoUndef);
  attributes.addAttribute(Attribute::NoCapture).addAlignmentAttr(Align(16));
  if (kernel.desc.param_bytes != 0) attributes.addDereferenceableAttr(kernel.desc.param_bytes);
  block->addAttrs(attributes);
  return fresh;
}

void rewrite(DeviceModule& module, Kernel& kernel) {
  Function& old = *module.function(kernel);
  lay_out_params(old, kernel);
  Function* fresh = create_rewritten(old, kernel);
  auto& entry = fresh->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  for (auto& argument : old.args()) {
    const auto& param = kernel.params[argument.getArgNo()];
    const Align align = commonAlignment(Align(16), param.offset);
    Type* type = slot_type(argument);
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), fresh->getArg(0), param.offset);
    Value* value = nullptr;
    if (!argument.hasByValAttr()) {
      value = load_param(builder, place, type, align);
    } else {
      value = only_read(argument) ? place : copy_param(builder, place, type, Align(param.align));
    }
    argument.replaceAllUsesWith(value);
  }
  old.replaceAllUsesWith(fresh);
  old.eraseFromParent();
}

}  // namespace

Status rewrite_kernels(DeviceModule& module) {
  for (auto& kernel : module.kernels) rewrite(module, kernel);
  return {};
}

}  // namespace castor::compiler
