#include "compiler/module/build_module.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <functional>

#include "compiler/codegen/emit_object.h"
#include "compiler/module/link_module.h"
#include "compiler/nvvm/passes.h"

namespace castor::compiler {
namespace {

struct Pass {
  const char* name;
  std::function<Status(DeviceModule&)> run;
};

std::vector<Pass> passes(const BuildOptions& options) {
  return {
      {"reject_inline_ptx", reject_inline_ptx},
      {"find_kernels", find_kernels},
      {"rewrite_kernels", rewrite_kernels},
      {"call_library", call_library},
      {"link_library", [&options](DeviceModule& module) { return link_library(module, options.library); }},
      {"internalize", internalize},
      {"optimize", optimize},
      {"lay_out_shared", lay_out_shared},
      {"lower_intrinsics", lower_intrinsics},
      {"lower_atomics", lower_atomics},
      {"flatten_address_spaces", flatten_address_spaces},
      {"expand_memory", expand_memory},
      {"simplify", simplify},
      {"check_undefined", check_undefined},
      {"describe_kernels", describe_kernels},
  };
}

Status verify(const DeviceModule& module, const char* after) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(*module.ir, &stream)) return {};
  return {StatusCode::invalid_value,
          fmt::format("internal compiler error: pass {} left a broken module: {}", after, stream.str())};
}

/// LLVM's own complaints (inline assembly, unsupported constructs) become part of the Status.
struct Diagnostics : llvm::DiagnosticHandler {
  explicit Diagnostics(std::string& text) : text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (text.empty() ? "" : "\n") << "error: ";
    info.print(printer);
    return true;
  }
  std::string& text;
};

Status parse(DeviceModule& module, std::span<const std::uint8_t> bitcode) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "device code"), *module.context);
  if (!parsed)
    return {StatusCode::invalid_value,
            fmt::format("the device front end wrote no bitcode: {}", llvm::toString(parsed.takeError()))};
  module.ir = std::move(*parsed);
  return {};
}

Status lower(DeviceModule& module, const BuildOptions& options, const std::string& complaints) {
  for (const auto& pass : passes(options)) {
    if (auto status = pass.run(module); !status) return status;
    if (!complaints.empty()) return {StatusCode::invalid_value, complaints};
    if (auto status = verify(module, pass.name); !status) return status;
    if (options.dump_after == pass.name) module.ir->print(llvm::errs(), nullptr);
  }
  return {};
}

}  // namespace

Result<std::vector<std::uint8_t>> build_module(std::span<const std::uint8_t> bitcode, const BuildOptions& options) {
  std::string complaints;
  DeviceModule module;
  module.arch = options.arch;
  module.optimize = options.optimize;
  module.context->setDiagnosticHandler(std::make_unique<Diagnostics>(complaints));
  if (auto status = parse(module, bitcode); !status) return status;
  if (auto status = lower(module, options, complaints); !status) return status;
  if (!options.debug_info) llvm::StripDebugInfo(*module.ir);
  auto object = emit_object(module);
  if (!object) return object.status();
  if (!complaints.empty()) return Status(StatusCode::invalid_value, complaints);
  return link_module(module, *object);
}

}  // namespace castor::compiler
