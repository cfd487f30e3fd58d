// lower_intrinsics
//   before: the program calls NVVM intrinsics, __castor_op_*, __castor_csr_*, and intrinsics that RISC-V would expand badly;
//           conversions to integers leave NaN open
//   after:  none of them is left: each is IR of the base ISA, an Xcastor instruction or a CSR read. One that has no row in
//           nvvm_ops.inc is an error with the source line
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/module/source_location.h"
#include "compiler/nvvm/lowering.h"
#include "compiler/nvvm/passes.h"
#include "gpu/isa/assembler.h"

namespace castor::compiler {

using namespace llvm;

Value* Lowering::word(unsigned i) const {
  Value* value = arg(i);
  if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
  const unsigned bits = value->getType()->getPrimitiveSizeInBits();
  if (!value->getType()->isIntegerTy()) value = builder.CreateBitCast(value, builder.getIntNTy(bits));
  if (bits == 1) return builder.CreateZExt(value, builder.getInt64Ty());
  return bits == 64 ? value : builder.CreateSExt(value, builder.getInt64Ty());
}

Value* Lowering::as(Type* type, Value* word) const {
  if (type->isPointerTy()) return builder.CreateIntToPtr(word, type);
  if (type->isIntegerTy(1)) return builder.CreateICmpNE(word, builder.getInt64(0));
  const unsigned bits = type->getPrimitiveSizeInBits();
  Value* narrow = bits == 64 ? word : builder.CreateTrunc(word, builder.getIntNTy(bits));
  return type->isIntegerTy() ? narrow : builder.CreateBitCast(narrow, type);
}

namespace {

constexpr std::string_view kNvvm = "llvm.nvvm.", kOp = "__castor_op_", kCsr = "__castor_csr_";

Status unsupported(const CallInst& call, std::string_view what) {
  return {StatusCode::not_supported, fmt::format("{}error: {} is not supported yet", location_text(call), what)};
}

void replace(CallInst& call, Value* value) {
  if (value != nullptr) call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

Status lower_nvvm(CallInst& call, std::string_view full_name) {
  const auto name = full_name.substr(kNvvm.size());
  IRBuilder<> builder(&call);
  const NvvmRow* row = find_nvvm_row(name);
  if (row == nullptr) return unsupported(call, full_name);
  Value* value = row->handler({builder, call, name, *row});
  if (value == nullptr && !call.getType()->isVoidTy()) return unsupported(call, full_name);
  replace(call, value);
  return {};
}

/// Device headers and library name Xcastor instructions by their row: operands are integers, float or double.
Status lower_named_op(CallInst& call, std::string_view full_name) {
  const auto op = isa::find_op_id(full_name.substr(kOp.size()));
  if (!op) return unsupported(call, full_name);
  IRBuilder<> builder(&call);
  const NvvmRow row{};
  const Lowering l{builder, call, full_name, row};
  SmallVector<Value*> operands;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    operands.push_back(call.getArgOperand(i)->getType()->isFloatingPointTy() ? l.arg(i) : l.word(i));
  auto* type = call.getType();
  const bool word = !type->isVoidTy() && !type->isFloatingPointTy();
  auto* result = emit_op(builder, *op, word ? builder.getInt64Ty() : type, operands);
  replace(call, type->isVoidTy() ? nullptr : word ? l.as(type, result) : result);
  return {};
}

Status lower_named_csr(CallInst& call, std::string_view full_name) {
  for (const auto& row : isa::kCsrs) {
    std::string id(row.name);
    std::replace(id.begin(), id.end(), '.', '_');
    if (id != full_name.substr(kCsr.size())) continue;
    IRBuilder<> builder(&call);
    const Lowering l{builder, call, full_name, {}};
    replace(call, l.as(call.getType(), read_csr(builder, isa::Csr{row.number})));
    return {};
  }
  return unsupported(call, full_name);
}

/// Xcastor has these in one instruction where the base ISA needs a dozen.
void lower_generic(IntrinsicInst& call) {
  IRBuilder<> builder(&call);
  const Lowering l{builder, call, {}, {}};
  const auto id = call.getIntrinsicID();
  auto* type = call.getType();
  if (id == Intrinsic::bitreverse && (type->isIntegerTy(32) || type->isIntegerTy(64))) {
    const auto op = type->isIntegerTy(32) ? isa::Op::brev_w : isa::Op::brev_d;
    replace(call, l.as(type, emit_op(builder, op, builder.getInt64Ty(), {l.word(0)})));
  } else if ((id == Intrinsic::fshl || id == Intrinsic::fshr) && type->isIntegerTy(32) && l.arg(0) != l.arg(1)) {
    const auto op = id == Intrinsic::fshl ? isa::Op::fsl_w : isa::Op::fsr_w;
    replace(call, l.as(type, emit_op(builder, op, builder.getInt64Ty(), {l.word(1), l.word(0), l.word(2)})));
  } else if (id == Intrinsic::trap || id == Intrinsic::ubsantrap) {
    emit_op(builder, isa::Op::trap, builder.getVoidTy(), {builder.getInt64(0)});
    replace(call, nullptr);
  }
}

/// C leaves NaN and values out of range open; PTX's cvt gives 0 and the nearest integer. Integers narrower than a word are
/// cut from one.
void lower_float_to_int(CastInst& cast) {
  IRBuilder<> builder(&cast);
  auto* type = cast.getType();
  const bool narrow = type->getScalarSizeInBits() < 32;
  auto* wide = narrow ? type->getWithNewBitWidth(32) : type;
  const auto id = cast.getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value* value = builder.CreateIntrinsic(id, {wide, cast.getOperand(0)->getType()}, {cast.getOperand(0)});
  cast.replaceAllUsesWith(narrow ? builder.CreateTrunc(value, type) : value);
  cast.eraseFromParent();
}

Status lower_call(CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (callee == nullptr) return {};
  const std::string_view name = callee->getName();
  if (name.starts_with(kNvvm)) return lower_nvvm(call, name);
  if (name.starts_with(kOp)) return lower_named_op(call, name);
  if (name.starts_with(kCsr)) return lower_named_csr(call, name);
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) lower_generic(*intrinsic);
  return {};
}

}  // namespace

Status lower_intrinsics(DeviceModule& module) {
  for (auto& function : *module.ir) {
    SmallVector<CallInst*> calls;
    for (auto& instruction : make_early_inc_range(instructions(function))) {
      if (auto* call = dyn_cast<CallInst>(&instruction)) calls.push_back(call);
      if (llvm::isa<FPToSIInst, FPToUIInst>(instruction)) lower_float_to_int(cast<CastInst>(instruction));
    }
    for (auto* call : calls)
      if (auto status = lower_call(*call); !status) return status;
  }
  return {};
}

}  // namespace castor::compiler
