#include "runtime/driver/module_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/hal/access.h"

namespace castor::driver {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMaxMemory = std::uint64_t{4} << 30;
constexpr std::uint32_t kMaxParams = 4096;

Status damaged(std::string_view what) {
  return {StatusCode::invalid_value, fmt::format("damaged GPU module: {}", what)};
}

/// Reads of the file, each inside it.
class File {
 public:
  explicit File(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  std::span<const std::byte> slice(std::uint64_t offset, std::uint64_t size) const {
    return bytes_.subspan(offset, size);
  }
  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    T value;
    if (!holds(offset, sizeof value)) return std::nullopt;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  /// The text at offset, up to a NUL before `end`.
  std::optional<std::string> text(std::uint64_t offset, std::uint64_t end) const {
    end = std::min<std::uint64_t>(end, bytes_.size());
    if (offset >= end) return std::nullopt;
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const auto* nul = static_cast<const char*>(std::memchr(begin, 0, end - offset));
    if (nul == nullptr) return std::nullopt;
    return std::string(begin, nul);
  }

 private:
  std::span<const std::byte> bytes_;
};

class Parser {
 public:
  explicit Parser(std::span<const std::byte> bytes) : file_(bytes) {}

  Result<ModuleImage> parse() {
    for (const auto step : {&Parser::header, &Parser::segments, &Parser::sections, &Parser::relocations,
                            &Parser::symbols, &Parser::notes}) {
      if (Status status = (this->*step)(); !status) return status;
    }
    return std::move(image_);
  }

 private:
  Status header() {
    const auto header = file_.read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return damaged("not an ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_RISCV || header->e_type != ET_DYN) {
      return damaged("an ELF file, but not a position-independent RISC-V one");
    }
    if (header->e_phentsize != sizeof(Elf64_Phdr) ||
        (header->e_shnum != 0 && header->e_shentsize != sizeof(Elf64_Shdr))) {
      return damaged("header tables of an unknown size");
    }
    header_ = *header;
    return {};
  }

  Status segments() {
    for (unsigned i = 0; i < header_.e_phnum; ++i) {
      const auto segment = file_.read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment) return damaged("program headers outside the file");
      if (segment->p_type != PT_LOAD || segment->p_memsz == 0) continue;
      if (Status status = load(*segment); !status) return status;
    }
    if (image_.segments.empty()) return damaged("nothing to load");
    return {};
  }

  Status load(const Elf64_Phdr& segment) {
    if (segment.p_vaddr > kMaxMemory || segment.p_memsz > kMaxMemory || segment.p_filesz > segment.p_memsz) {
      return damaged("a segment of impossible size");
    }
    if (!file_.holds(segment.p_offset, segment.p_filesz)) return damaged("a segment outside the file");
    const std::uint64_t begin = segment.p_vaddr & ~(kPage - 1);
    const std::uint64_t end = (segment.p_vaddr + segment.p_memsz + kPage - 1) & ~(kPage - 1);
    const auto data = file_.slice(segment.p_offset, segment.p_filesz);
    image_.bytes = std::max(image_.bytes, end);
    std::uint32_t access = hal::kRead;
    if ((segment.p_flags & PF_W) != 0) access |= hal::kWrite | hal::kAtomic;
    if ((segment.p_flags & PF_X) != 0) access |= hal::kExecute;
    for (const auto& other : image_.segments) {
      if (begin < other.offset + other.bytes && other.offset < end) return damaged("segments that share a page");
    }
    image_.segments.push_back({begin, end - begin, access, segment.p_vaddr, {data.begin(), data.end()}});
    return {};
  }

  Status sections() {
    const auto names = section(header_.e_shstrndx);
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      auto each = section(i);
      if (!each) return damaged("section headers outside the file");
      std::string name;
      if (names) name = file_.text(names->sh_offset + each->sh_name, names->sh_offset + names->sh_size).value_or("");
      sections_.push_back({*each, std::move(name)});
    }
    return {};
  }

  std::optional<Elf64_Shdr> section(std::uint64_t index) const {
    if (index >= header_.e_shnum) return std::nullopt;
    return file_.read<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }

  /// The bytes of a loaded segment that came from the file; null if they are not all there.
  const std::byte* loaded(std::uint64_t offset, std::uint64_t bytes) const {
    for (const auto& segment : image_.segments) {
      const std::uint64_t at = offset - segment.data_offset;
      if (offset >= segment.data_offset && at <= segment.data.size() && bytes <= segment.data.size() - at) {
        return segment.data.data() + at;
      }
    }
    return nullptr;
  }

  /// Inside one segment, zeroes included.
  bool in_memory(std::uint64_t offset, std::uint64_t bytes) const {
    return std::ranges::any_of(image_.segments, [&](const auto& segment) {
      const std::uint64_t at = offset - segment.offset;
      return offset >= segment.offset && at <= segment.bytes && bytes <= segment.bytes - at;
    });
  }

  Status relocations() {
    for (const auto& [section, name] : sections_) {
      if (section.sh_type == SHT_REL) return damaged("relocations without addend");
      if (section.sh_type != SHT_RELA) continue;
      if ((section.sh_flags & SHF_ALLOC) == 0) continue;  // what the linker kept for tools
      for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.sh_size; at += sizeof(Elf64_Rela)) {
        const auto entry = file_.read<Elf64_Rela>(section.sh_offset + at);
        if (!entry) return damaged("relocations outside the file");
        const auto type = ELF64_R_TYPE(entry->r_info);
        if (type == R_RISCV_NONE) continue;
        if (type != R_RISCV_RELATIVE) return damaged(fmt::format("relocation of type {}", type));
        if (loaded(entry->r_offset, 8) == nullptr) return damaged("a relocation outside the module");
        image_.relocations.push_back({entry->r_offset, static_cast<std::uint64_t>(entry->r_addend)});
      }
    }
    return {};
  }

  Status symbols() {
    for (const auto& [section, name] : sections_) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections_.size()) continue;
      const Elf64_Shdr& strings = sections_[section.sh_link].header;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = file_.read<Elf64_Sym>(section.sh_offset + at);
        if (!symbol) return damaged("symbols outside the file");
        if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= sections_.size()) continue;
        auto text = file_.text(strings.sh_offset + symbol->st_name, strings.sh_offset + strings.sh_size);
        if (!text || text->empty()) continue;
        if (Status status = add_symbol(*symbol, std::move(*text)); !status) return status;
      }
    }
    return {};
  }

  Status add_symbol(const Elf64_Sym& symbol, std::string name) {
    constexpr std::string_view suffix = CASTOR_KERNEL_SUFFIX;
    const auto& home = sections_[symbol.st_shndx];
    if (home.name == CASTOR_KERNEL_SECTION && name.ends_with(suffix)) {
      return add_kernel(name.substr(0, name.size() - suffix.size()), symbol.st_value);
    }
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || (home.header.sh_flags & SHF_ALLOC) == 0) return {};
    if (!in_memory(symbol.st_value, symbol.st_size))
      return damaged(fmt::format("variable '{}' outside the module", name));
    image_.variables.insert_or_assign(std::move(name), ModuleImage::Variable{symbol.st_value, symbol.st_size});
    return {};
  }

  Status add_kernel(std::string name, std::uint64_t offset) {
    ModuleImage::Kernel kernel{offset, {}, {}};
    const std::byte* bytes = loaded(offset, sizeof kernel.descriptor);
    if (bytes == nullptr || offset % alignof(castor_kernel_desc) != 0) {
      return damaged(fmt::format("kernel '{}' has no descriptor", name));
    }
    std::memcpy(&kernel.descriptor, bytes, sizeof kernel.descriptor);
    const std::uint64_t entry = offset + static_cast<std::uint64_t>(kernel.descriptor.entry);
    if (kernel.descriptor.magic != CASTOR_KERNEL_MAGIC || !in_memory(entry, 4) || entry % 4 != 0) {
      return damaged(fmt::format("kernel '{}' has a wrong descriptor", name));
    }
    image_.kernels.insert_or_assign(std::move(name), std::move(kernel));
    return {};
  }

  Status notes() {
    for (const auto& [section, name] : sections_) {
      if (section.sh_type != SHT_NOTE || section.sh_size > kMaxMemory) continue;
      for (std::uint64_t at = section.sh_offset, end = at + section.sh_size; at + sizeof(Elf64_Nhdr) <= end;) {
        const auto note = file_.read<Elf64_Nhdr>(at);
        if (!note) return damaged("notes outside the file");
        const std::uint64_t owner = at + sizeof *note;
        const std::uint64_t body = owner + ((std::uint64_t{note->n_namesz} + 3) & ~std::uint64_t{3});
        at = body + ((std::uint64_t{note->n_descsz} + 3) & ~std::uint64_t{3});
        if (note->n_type != CASTOR_NOTE_PARAMS || file_.text(owner, body) != CASTOR_NOTE_OWNER) continue;
        if (Status status = add_params(body, body + note->n_descsz); !status) return status;
      }
    }
    return {};
  }

  Status add_params(std::uint64_t at, std::uint64_t end) {
    const auto count = file_.read<std::uint32_t>(at);
    if (!count || *count > kMaxParams) return damaged("a parameter note of impossible size");
    std::vector<castor_note_param> params;
    for (std::uint32_t i = 0; i < *count; ++i) {
      const auto param = file_.read<castor_note_param>(at + 4 + i * sizeof(castor_note_param));
      if (!param) return damaged("a parameter note outside the file");
      params.push_back(*param);
    }
    const auto name = file_.text(at + 4 + *count * sizeof(castor_note_param), end);
    const auto kernel = name ? image_.kernels.find(*name) : image_.kernels.end();
    if (kernel == image_.kernels.end()) return {};  // of a kernel that was linked away
    for (const auto& param : params) {
      const std::uint64_t room = kernel->second.descriptor.param_bytes;
      if (param.offset > room || param.size > room - param.offset) {
        return damaged(fmt::format("a parameter of kernel '{}' lies outside its block", kernel->first));
      }
    }
    kernel->second.params = std::move(params);
    return {};
  }

  struct Section {
    Elf64_Shdr header;
    std::string name;
  };
  File file_;
  Elf64_Ehdr header_{};
  std::vector<Section> sections_;
  ModuleImage image_;
};

}  // namespace

std::size_t elf_bytes(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return 0;
  std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  end = std::max(end, header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  return end > kMaxMemory ? 0 : static_cast<std::size_t>(end);
}

Result<ModuleImage> parse_module(std::span<const std::byte> file) { return Parser(file).parse(); }

}  // namespace castor::driver
