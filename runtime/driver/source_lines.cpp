#include "runtime/driver/source_lines.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/hal/channel.h"

namespace castor::driver {
namespace {

/// The functions of libdw that are needed, as the header declares them.
struct Libdw {
  decltype(&::dwarf_begin) begin = nullptr;
  decltype(&::dwarf_end) end = nullptr;
  decltype(&::dwarf_next_unit) next_unit = nullptr;
  decltype(&::dwarf_offdie) die_at = nullptr;
  decltype(&::dwarf_getsrc_die) source = nullptr;
  decltype(&::dwarf_linesrc) file = nullptr;
  decltype(&::dwarf_lineno) line = nullptr;
  decltype(&::dwarf_haspc) has_pc = nullptr;

  explicit operator bool() const {
    return begin != nullptr && end != nullptr && next_unit != nullptr && die_at != nullptr && source != nullptr &&
           file != nullptr && line != nullptr && has_pc != nullptr;
  }
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
}

const Libdw& libdw() {
  static const Libdw functions = [] {
    Libdw out;
    void* library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return out;
    find(library, "dwarf_begin", out.begin);
    find(library, "dwarf_end", out.end);
    find(library, "dwarf_next_unit", out.next_unit);
    find(library, "dwarf_offdie", out.die_at);
    find(library, "dwarf_getsrc_die", out.source);
    find(library, "dwarf_linesrc", out.file);
    find(library, "dwarf_lineno", out.line);
    find(library, "dwarf_haspc", out.has_pc);
    return out;
  }();
  return functions;
}

std::string search(const Libdw& dw, Dwarf* dwarf, std::uint64_t pc) {
  Dwarf_Off offset = 0, next = 0;
  std::size_t header = 0;
  while (dw.next_unit(dwarf, offset, &next, &header, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dw.die_at(dwarf, offset + header, &unit) != nullptr && dw.has_pc(&unit, pc) == 1) {
      Dwarf_Line* line = dw.source(&unit, pc);
      int number = 0;
      const char* file = line == nullptr ? nullptr : dw.file(line, nullptr, nullptr);
      if (file != nullptr && dw.line(line, &number) == 0 && number > 0) {
        return fmt::format("{}:{}", std::filesystem::path(file).lexically_normal().string(), number);
      }
    }
    offset = next;
  }
  return {};
}

}  // namespace

std::string source_line(std::span<const std::byte> module_file, std::uint64_t offset) {
  const Libdw& dw = libdw();
  if (!dw) return {};
  // libdw reads a file.
  const hal::Descriptor file(::memfd_create("castor module", MFD_CLOEXEC));
  if (!file ||
      ::write(file.get(), module_file.data(), module_file.size()) != static_cast<ssize_t>(module_file.size())) {
    return {};
  }
  Dwarf* dwarf = dw.begin(file.get(), DWARF_C_READ);
  if (dwarf == nullptr) return {};
  std::string line = search(dw, dwarf, offset);
  dw.end(dwarf);
  return line;
}

}  // namespace castor::driver
