// describe_kernels
//   before: what is known about the kernels is in DeviceModule::kernels
//   after:  the module also holds it as gpu/abi/module.h says: a descriptor `k.kd` in .castor.kernels for each kernel
//           (its stack size and registers are filled in after code generation), and notes with the parameter layouts
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <cstring>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

using namespace llvm;

Constant* word(LLVMContext& context, std::uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); }

/// Bytes of the module's __constant__ variables.
std::uint32_t constant_bytes(const Module& module) {
  std::uint64_t bytes = 0;
  for (const auto& global : module.globals())
    if (global.hasAttribute("castor-constant")) bytes += module.getDataLayout().getTypeAllocSize(global.getValueType());
  return static_cast<std::uint32_t>(bytes);
}

GlobalVariable* create_descriptor(DeviceModule& module, const Kernel& kernel) {
  auto& context = *module.context;
  auto* i32 = Type::getInt32Ty(context);
  auto* i64 = Type::getInt64Ty(context);
  auto* reserved = ArrayType::get(i32, 4);
  auto* type = StructType::get(context, {i32, i32, i64, i32, i32, i32, i32, i32, i32, i32, i32, reserved});
  auto* descriptor = new GlobalVariable(*module.ir, type, true, GlobalValue::ExternalLinkage, nullptr,
                                        kernel.name + CASTOR_KERNEL_SUFFIX);
  auto* entry = ConstantExpr::getSub(ConstantExpr::getPtrToInt(module.function(kernel), i64),
                                     ConstantExpr::getPtrToInt(descriptor, i64));
  const auto& d = kernel.desc;
  descriptor->setInitializer(ConstantStruct::get(
      type, {word(context, d.magic), word(context, d.flags), entry, word(context, d.param_bytes),
             word(context, d.shared_static), word(context, d.local_bytes), word(context, d.max_threads),
             word(context, d.min_blocks), word(context, d.registers), word(context, d.const_bytes),
             word(context, d.ptx_version), Constant::getNullValue(reserved)}));
  descriptor->setSection(CASTOR_KERNEL_SECTION);
  descriptor->setAlignment(Align(64));
  descriptor->setDSOLocal(true);
  return descriptor;
}

void append(std::vector<std::uint8_t>& bytes, const void* data, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

void append_word(std::vector<std::uint8_t>& bytes, std::size_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  append(bytes, &word, sizeof word);
}

/// An ELF note: name size, descriptor size, type, name and descriptor padded to four bytes.
std::vector<std::uint8_t> params_note(const Kernel& kernel) {
  std::vector<std::uint8_t> payload;
  append_word(payload, kernel.params.size());
  append(payload, kernel.params.data(), kernel.params.size() * sizeof(castor_note_param));
  append(payload, kernel.name.c_str(), kernel.name.size() + 1);
  std::vector<std::uint8_t> note;
  append_word(note, sizeof CASTOR_NOTE_OWNER);
  append_word(note, payload.size());
  append_word(note, CASTOR_NOTE_PARAMS);
  append(note, CASTOR_NOTE_OWNER, sizeof CASTOR_NOTE_OWNER);
  note.resize(alignTo(note.size(), 4));
  append(note, payload.data(), payload.size());
  note.resize(alignTo(note.size(), 4));
  return note;
}

GlobalVariable* create_note(DeviceModule& module, const Kernel& kernel) {
  auto* content = ConstantDataArray::get(*module.context, ArrayRef<std::uint8_t>(params_note(kernel)));
  auto* note =
      new GlobalVariable(*module.ir, content->getType(), true, GlobalValue::PrivateLinkage, content, "castor.params");
  note->setSection(".note.castor.params");
  note->setAlignment(Align(4));
  return note;
}

}  // namespace

Status describe_kernels(DeviceModule& module) {
  const auto constants = constant_bytes(*module.ir);
  SmallVector<GlobalValue*> used;
  for (auto& kernel : module.kernels) {
    kernel.desc.const_bytes = constants;
    used.push_back(create_descriptor(module, kernel));
    used.push_back(create_note(module, kernel));
  }
  appendToCompilerUsed(*module.ir, used);
  return {};
}

}  // namespace castor::compiler
