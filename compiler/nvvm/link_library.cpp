// link_library
//   before: device functions of the headers and of the compiler (sinf, __castor_*, …) are declarations
//   after:  those that the device library has are defined, internal; nothing else of it is in the module
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <fmt/format.h>

#include "compiler/nvvm/passes.h"

namespace castor::compiler {

Status link_library(DeviceModule& module, std::string_view library_path) {
  llvm::SMDiagnostic diagnostic;
  const std::string path(library_path);
  auto library = llvm::getLazyIRFileModule(path, diagnostic, *module.context);
  if (library == nullptr)
    return {StatusCode::io_error,
            fmt::format("cannot read the device library {}: {}", path, diagnostic.getMessage().str())};
  library->setTargetTriple(module.ir->getTargetTriple());
  library->setDataLayout(module.ir->getDataLayout());
  if (auto* flags = library->getModuleFlagsMetadata()) library->eraseNamedMetadata(flags);
  const bool failed =
      llvm::Linker::linkModules(*module.ir, std::move(library), llvm::Linker::LinkOnlyNeeded,
                                [](llvm::Module& linked, const llvm::StringSet<>& names) {
                                  llvm::internalizeModule(linked, [&names](const llvm::GlobalValue& value) {
                                    return !value.hasName() || !names.contains(value.getName());
                                  });
                                });
  if (failed) return {StatusCode::io_error, fmt::format("cannot link the device library {}", path)};
  return {};
}

}  // namespace castor::compiler
