// Source lines of a module's code from its DWARF, read with elfutils' libdw, which is loaded on first need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace castor::driver {

/// "file.cu:12"; empty if the module says nothing about that offset, or libdw is not there.
std::string source_line(std::span<const std::byte> module_file, std::uint64_t offset);

}  // namespace castor::driver
