#include "runtime/driver/source_lines.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "runtime/hal/channel.h"

namespace castor::driver {
namespace {

/// The functions of libdw that are needed, as the header declares them.
struct Libdw {
  decltype(&::dwarf_begin) begin = nullptr;
  decltype(&::dwarf_end) end = nullptr;
  decltype(&::dwarf_next_lines) next_lines = nullptr;
  decltype(&::dwarf_onesrcline) line_at = nullptr;
  decltype(&::dwarf_lineaddr) address = nullptr;
  decltype(&::dwarf_lineendsequence) end_of_sequence = nullptr;
  decltype(&::dwarf_linesrc) file = nullptr;
  decltype(&::dwarf_lineno) line = nullptr;

  explicit operator bool() const {
    return begin != nullptr && end != nullptr && next_lines != nullptr && line_at != nullptr && address != nullptr &&
           end_of_sequence != nullptr && file != nullptr && line != nullptr;
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
    find(library, "dwarf_next_lines", out.next_lines);
    find(library, "dwarf_onesrcline", out.line_at);
    find(library, "dwarf_lineaddr", out.address);
    find(library, "dwarf_lineendsequence", out.end_of_sequence);
    find(library, "dwarf_linesrc", out.file);
    find(library, "dwarf_lineno", out.line);
    return out;
  }();
  return functions;
}

/// Is it a line of the program? Code of the toolkit's headers is inlined into it, and some code is of no line at all (0).
bool of_program(const Libdw& dw, Dwarf_Line* row) {
  int number = 0;
  const char* file = dw.file(row, nullptr, nullptr);
  return file != nullptr && dw.line(row, &number) == 0 && number > 0 &&
         std::string_view(file).find("/toolkit/include/") == std::string_view::npos;
}

/// The row of a line table that covers the address: the last one at or before it, unless a sequence ends there. If that is no line of the
/// program, the program's last one before it: what called it.
Dwarf_Line* covering(const Libdw& dw, Dwarf_Lines* lines, std::size_t count, std::uint64_t pc) {
  Dwarf_Line *before = nullptr, *program = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* row = dw.line_at(lines, i);
    Dwarf_Addr at = 0;
    bool ends = false;
    if (row == nullptr || dw.address(row, &at) != 0 || dw.end_of_sequence(row, &ends) != 0) return nullptr;
    if (at > pc && before != nullptr) return program != nullptr ? program : before;
    before = ends || at > pc ? nullptr : row;
    if (before == nullptr || of_program(dw, before)) program = before;
  }
  return nullptr;
}

/// The path as somebody in the current folder would write it: the line tables hold absolute ones.
std::string shown(const char* file) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  std::error_code no_folder;
  const std::filesystem::path here = std::filesystem::current_path(no_folder);
  if (no_folder) return path.string();
  const std::filesystem::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

/// Walks the line tables themselves: with -lineinfo there are no compilation units that would name them.
std::string search(const Libdw& dw, Dwarf* dwarf, std::uint64_t pc) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Files* files = nullptr;
  Dwarf_Lines* lines = nullptr;
  std::size_t file_count = 0, line_count = 0;
  for (Dwarf_Off offset = 0, next = 0;; offset = next) {
    if (dw.next_lines(dwarf, offset, &next, &unit, &files, &file_count, &lines, &line_count) != 0) return {};
    Dwarf_Line* row = covering(dw, lines, line_count, pc);
    int number = 0;
    const char* file = row == nullptr ? nullptr : dw.file(row, nullptr, nullptr);
    if (file != nullptr && dw.line(row, &number) == 0 && number > 0) {
      return fmt::format("{}:{}", shown(file), number);
    }
  }
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
