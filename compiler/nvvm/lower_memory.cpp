// Handlers: fences, read-only loads, address spaces.
#include "compiler/nvvm/lowering.h"
#include "gpu/abi/address_space.h"

namespace castor::compiler::lower {
namespace {

using namespace llvm;

Value* address(const Lowering& l) { return l.builder.CreatePtrToInt(l.arg(0), l.builder.getInt64Ty()); }

}  // namespace

/// Functional memory is sequentially consistent between fences of any scope, so that all scopes are one.
Value* fence(const Lowering& l) {
  l.builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return nullptr;
}

Value* load_constant(const Lowering& l) {
  const auto align = cast<ConstantInt>(l.arg(1))->getMaybeAlignValue().valueOrOne();
  auto* load = l.builder.CreateAlignedLoad(l.call.getType(), l.arg(0), align);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
  return load;
}

Value* pointer_cast(const Lowering& l) { return l.builder.CreateAddrSpaceCast(l.arg(0), l.call.getType()); }

Value* same_value(const Lowering& l) { return l.arg(0); }

Value* in_global(const Lowering& l) {
  return l.builder.CreateICmpULT(address(l), l.builder.getInt64(CASTOR_GLOBAL_LIMIT));
}

Value* in_shared(const Lowering& l) {
  auto* offset = l.builder.CreateSub(address(l), l.builder.getInt64(CASTOR_SHARED_WINDOW));
  return l.builder.CreateICmpULT(offset, l.builder.getInt64(CASTOR_LOCAL_WINDOW - CASTOR_SHARED_WINDOW));
}

Value* in_local(const Lowering& l) {
  return l.builder.CreateICmpUGE(address(l), l.builder.getInt64(CASTOR_LOCAL_WINDOW));
}

}  // namespace castor::compiler::lower
