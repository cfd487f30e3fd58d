#include "tests/compiler/module_view.h"

#include <llvm/Object/ELF.h>

#include <cstring>

namespace castor::compiler::test {
namespace {

using Elf = llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<Elf>;

void read_segments(const ElfFile& elf, const std::vector<std::uint8_t>& file, ModuleView& view) {
  for (const auto& header : llvm::cantFail(elf.program_headers())) {
    if (header.p_type == llvm::ELF::PT_TLS) view.tls_bytes = header.p_memsz;
    if (header.p_type != llvm::ELF::PT_LOAD) continue;
    const auto* first = file.data() + header.p_offset;
    view.segments.push_back({header.p_vaddr,
                             header.p_memsz,
                             {first, first + header.p_filesz},
                             (header.p_flags & llvm::ELF::PF_W) != 0,
                             (header.p_flags & llvm::ELF::PF_X) != 0});
  }
}

const std::uint8_t* at(const ModuleView& view, std::uint64_t address) {
  for (const auto& segment : view.segments)
    if (address >= segment.address && address < segment.address + segment.content.size())
      return segment.content.data() + (address - segment.address);
  return nullptr;
}

void read_symbols(const ElfFile& elf, const Elf::Shdr& section, ModuleView& view) {
  const auto names = llvm::cantFail(elf.getStringTableForSymtab(section));
  for (const auto& symbol : llvm::cantFail(elf.symbols(&section))) {
    const std::string name = names.data() + symbol.st_name;
    if (name.empty()) continue;
    if (symbol.st_shndx == llvm::ELF::SHN_UNDEF)
      view.undefined.push_back(name);
    else
      view.symbols[name] = symbol.st_value;
  }
}

void read_relocations(const ElfFile& elf, const Elf::Shdr& section, ModuleView& view) {
  for (const auto& relocation : llvm::cantFail(elf.relas(section))) {
    const unsigned type = relocation.getType(false);
    if (type == llvm::ELF::R_RISCV_RELATIVE)
      view.relative.emplace_back(relocation.r_offset, relocation.r_addend);
    else
      view.other_relocations.push_back(type);
  }
}

void read_notes(const ElfFile& elf, const Elf::Shdr& section, ModuleView& view) {
  llvm::Error error = llvm::Error::success();
  for (const auto& note : elf.notes(section, error)) {
    if (note.getName() != CASTOR_NOTE_OWNER || note.getType() != CASTOR_NOTE_PARAMS) continue;
    const auto payload = note.getDesc(4);
    std::uint32_t count = 0;
    std::memcpy(&count, payload.data(), sizeof count);
    std::vector<castor_note_param> params(count);
    std::memcpy(params.data(), payload.data() + 4, count * sizeof(castor_note_param));
    view.params[reinterpret_cast<const char*>(payload.data() + 4 + count * sizeof(castor_note_param))] = params;
  }
  llvm::consumeError(std::move(error));
}

void read_kernels(ModuleView& view) {
  const std::string suffix = CASTOR_KERNEL_SUFFIX;
  for (const auto& [name, address] : view.symbols) {
    if (!name.ends_with(suffix)) continue;
    if (const auto* place = at(view, address))
      std::memcpy(&view.kernels[name.substr(0, name.size() - suffix.size())], place, sizeof(castor_kernel_desc));
  }
}

}  // namespace

std::string read_module(const std::vector<std::uint8_t>& file, ModuleView& view) {
  auto elf = ElfFile::create({reinterpret_cast<const char*>(file.data()), file.size()});
  if (!elf) return llvm::toString(elf.takeError());
  view.position_independent = elf->getHeader().e_type == llvm::ELF::ET_DYN;
  read_segments(*elf, file, view);
  for (const auto& section : llvm::cantFail(elf->sections())) {
    view.sections.push_back(llvm::cantFail(elf->getSectionName(section)).str());
    if (section.sh_type == llvm::ELF::SHT_SYMTAB) read_symbols(*elf, section, view);
    if (section.sh_type == llvm::ELF::SHT_RELA) read_relocations(*elf, section, view);
    if (section.sh_type == llvm::ELF::SHT_NOTE) read_notes(*elf, section, view);
  }
  read_kernels(view);
  return {};
}

std::string ModuleView::find_kernel(const std::string& name) const {
  const std::string mangled = std::to_string(name.size()) + name;
  for (const auto& [symbol, desc] : kernels)
    if (symbol == name || symbol.find(mangled) != std::string::npos) return symbol;
  return {};
}

}  // namespace castor::compiler::test
