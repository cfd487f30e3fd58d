#include "compiler/codegen/target.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetOptions.h>

#include <mutex>

#include "platform/core/check.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTarget();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVAsmPrinter();
void LLVMInitializeRISCVAsmParser();
}

namespace castor::compiler {

// Zacas is "experimental" in LLVM 19; its amocas.w and amocas.d are ratified, and rows of gpu/isa.
const char* const kDeviceFeatures =
    "+m,+a,+f,+d,+zicsr,+zba,+zbb,+zbs,+zicond,+zfh,+zfa,+zfbfmin,+experimental-zacas,+relax";

namespace {

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeRISCVAsmParser();
  });
}

std::unique_ptr<llvm::TargetMachine> create(const char* triple, const char* cpu, const char* features,
                                            const llvm::TargetOptions& options, llvm::CodeGenOptLevel level) {
  initialize_targets();
  std::string error;
  const auto* target = llvm::TargetRegistry::lookupTarget(triple, error);
  CHECK(target != nullptr, "the LLVM we link has NVPTX and RISC-V");
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Medium, level));
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> nvptx_target() {
  return create("nvptx64-nvidia-cuda", "sm_90", "+ptx85", {}, llvm::CodeGenOptLevel::Default);
}

std::unique_ptr<llvm::TargetMachine> riscv_target(unsigned optimize) {
  llvm::TargetOptions options;
  options.MCOptions.ABIName = "lp64d";
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the front end's `contract` flags decide
  options.UniqueSectionNames = true;
  const auto level = optimize == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  return create("riscv64-unknown-elf", "generic-rv64", kDeviceFeatures, options, level);
}

}  // namespace castor::compiler
