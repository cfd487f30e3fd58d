#include "compiler/module/link_module.h"

#include <fmt/format.h>
#include <llvm/Object/ELFObjectFile.h>

#include <cstring>
#include <map>

#include "compiler/driver/process.h"
#include "compiler/module/source_location.h"

namespace castor::compiler {
namespace {

using Elf = llvm::object::ELF64LE;

llvm::StringRef text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> link_command(const std::string& object) {
  return {"ld.lld-19",
          "-pie",
          "--no-dynamic-linker",
          "-Bsymbolic",
          "-z",
          "text",
          "-z",
          "max-page-size=4096",
          "-e",
          "0",
          "--hash-style=sysv",
          "--build-id=none",
          "--no-undefined",
          "-o",
          "-",
          object};
}

/// File offset of what lies at a virtual address.
std::uint64_t file_offset(const llvm::object::ELFFile<Elf>& elf, std::uint64_t address) {
  auto headers = elf.program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return 0;
  }
  for (const auto& header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD && address >= header.p_vaddr && address < header.p_vaddr + header.p_filesz)
      return address - header.p_vaddr + header.p_offset;
  return 0;
}

/// Values that were known only after code generation.
void patch(castor_kernel_desc& placed, const castor_kernel_desc& known) {
  placed.flags = known.flags;
  placed.local_bytes = known.local_bytes;
  placed.registers = known.registers;
}

Status patch_descriptors(const DeviceModule& module, std::vector<std::uint8_t>& file) {
  auto elf = llvm::object::ELFFile<Elf>::create(text_of(file));
  if (!elf) return {StatusCode::io_error, fmt::format("the linker's output: {}", llvm::toString(elf.takeError()))};
  std::map<std::string, const Kernel*, std::less<>> kernels;
  for (const auto& kernel : module.kernels) kernels.emplace(kernel.name + CASTOR_KERNEL_SUFFIX, &kernel);
  for (const auto& section : llvm::cantFail(elf->sections())) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB) continue;
    const auto names = llvm::cantFail(elf->getStringTableForSymtab(section));
    for (const auto& symbol : llvm::cantFail(elf->symbols(&section))) {
      const auto place = kernels.find(std::string_view(names.data() + symbol.st_name));
      const auto offset = place == kernels.end() ? 0 : file_offset(*elf, symbol.st_value);
      if (offset == 0) continue;
      castor_kernel_desc descriptor;
      std::memcpy(&descriptor, file.data() + offset, sizeof descriptor);
      patch(descriptor, place->second->desc);
      std::memcpy(file.data() + offset, &descriptor, sizeof descriptor);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::uint8_t>> link_module(const DeviceModule& module, std::span<const std::uint8_t> object) {
  auto input = MemoryFile::create("castor-device.o", object);
  if (!input) return input.status();
  auto linked = run_process(link_command(input->path()));
  if (!linked) return linked.status();
  if (linked->exit_code != 0) return Status(StatusCode::io_error, fmt::format("device linker: {}", linked->err));
  if (auto status = patch_descriptors(module, linked->out); !status) return status;
  return std::move(linked->out);
}

}  // namespace castor::compiler
