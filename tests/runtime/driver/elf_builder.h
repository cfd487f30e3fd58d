// A GPU module made by hand: one kernel with parameters, one variable, one relocation. Offsets are kept for tests to damage.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "gpu/abi/module.h"

namespace castor::test {

struct HandmadeModule {
  // In memory: headers and notes at 0, descriptor at 0x1000, code at 0x2000, data at 0x3000.
  static constexpr std::uint64_t kDescriptor = 0x1000, kCode = 0x2000, kData = 0x3000;
  std::vector<std::byte> bytes;

  std::span<const std::byte> file() const { return bytes; }
  template <class T>
  T& at(std::size_t offset) {
    return *reinterpret_cast<T*>(bytes.data() + offset);
  }
  Elf64_Ehdr& header() { return at<Elf64_Ehdr>(0); }
  Elf64_Phdr& segment(unsigned i) { return at<Elf64_Phdr>(header().e_phoff + i * sizeof(Elf64_Phdr)); }
  Elf64_Shdr& section(unsigned i) { return at<Elf64_Shdr>(header().e_shoff + i * sizeof(Elf64_Shdr)); }
  castor_kernel_desc& descriptor() { return at<castor_kernel_desc>(kDescriptor); }
};

/// Sections: 1 .castor.kernels, 2 .text, 3 .data, 4 .rela.dyn, 5 .note.castor.params, 6 .symtab, 7 .strtab, 8 .shstrtab.
inline HandmadeModule handmade_module() {
  HandmadeModule module;
  module.bytes.resize(0x5000);
  auto& header = module.header();
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_RISCV;
  header.e_phoff = 64;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 3;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 9;
  header.e_shstrndx = 8;
  header.e_shoff = 0x4000;
  module.segment(0) = {PT_LOAD, PF_R, 0x1000, 0x1000, 0x1000, 0x40, 0x40, 0x1000};
  module.segment(1) = {PT_LOAD, PF_R | PF_X, 0x2000, 0x2000, 0x2000, 0x10, 0x10, 0x1000};
  module.segment(2) = {PT_LOAD, PF_R | PF_W, 0x3000, 0x3000, 0x3000, 0x20, 0x100, 0x1000};
  auto& kernel = module.descriptor();
  kernel = {};
  kernel.magic = CASTOR_KERNEL_MAGIC;
  kernel.entry = HandmadeModule::kCode - HandmadeModule::kDescriptor;
  kernel.param_bytes = 24;
  module.at<std::uint32_t>(HandmadeModule::kCode) = 0x00008067;  // ret

  const auto put = [&](std::size_t offset, const std::string& text) {
    std::memcpy(module.bytes.data() + offset, text.data(), text.size());
    return text.size();
  };
  using namespace std::string_literals;
  // Names of sections and symbols.
  put(0x4800, "\0.castor.kernels\0.text\0.data\0.rela.dyn\0.note.castor.params\0.symtab\0.strtab\0.shstrtab\0"s);
  put(0x4a00, "\0_Z1kPi.kd\0_Z1kPi\0counter\0"s);
  const Elf64_Rela relocation{0x3008, ELF64_R_INFO(0, R_RISCV_RELATIVE), 0x3010};
  std::memcpy(module.bytes.data() + 0x4b00, &relocation, sizeof relocation);
  const Elf64_Sym symbols[] = {{0, 0, 0, 0, 0, 0},
                               {1, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1, 0x1000, 64},
                               {11, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 2, 0x2000, 4},
                               {18, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 3, 0x3010, 16}};
  std::memcpy(module.bytes.data() + 0x4c00, symbols, sizeof symbols);
  // The note: two parameters of 8 bytes and one of 4.
  struct {
    Elf64_Nhdr header{8, 0, CASTOR_NOTE_PARAMS};
    char owner[8] = "Castor";
    std::uint32_t count = 3;
    castor_note_param params[3] = {{0, 8, 8, 0}, {8, 8, 8, 0}, {16, 4, 4, 0}};
    char name[8] = "_Z1kPi";
  } note;
  note.header.n_namesz = 7;
  note.header.n_descsz = sizeof note.count + sizeof note.params + 7;
  std::memcpy(module.bytes.data() + 0x4d00, &note, sizeof note);

  const auto section = [&](unsigned i, std::uint32_t name, std::uint32_t type, std::uint64_t flags,
                           std::uint64_t address, std::uint64_t offset, std::uint64_t size, std::uint32_t link = 0) {
    auto& out = module.section(i);
    out = {};
    out.sh_name = name;
    out.sh_type = type;
    out.sh_flags = flags;
    out.sh_addr = address;
    out.sh_offset = offset;
    out.sh_size = size;
    out.sh_link = link;
  };
  section(1, 1, SHT_PROGBITS, SHF_ALLOC, 0x1000, 0x1000, 0x40);
  section(2, 17, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, 0x2000, 0x10);
  section(3, 23, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x3000, 0x3000, 0x20);
  section(4, 29, SHT_RELA, SHF_ALLOC, 0, 0x4b00, sizeof relocation, 6);
  section(5, 39, SHT_NOTE, 0, 0, 0x4d00, sizeof note);
  section(6, 59, SHT_SYMTAB, 0, 0, 0x4c00, sizeof symbols, 7);
  section(7, 67, SHT_STRTAB, 0, 0, 0x4a00, 26);
  section(8, 75, SHT_STRTAB, 0, 0, 0x4800, 85);
  return module;
}

}  // namespace castor::test
