// ModuleImage: a compiled module (gpu/abi/module.h) taken apart and checked. Knows no device; any bytes may come in.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/abi/module.h"
#include "platform/core/result.h"

namespace castor::driver {

struct ModuleImage {
  struct Segment {
    std::uint64_t offset;         // of its first page, from the module's base
    std::uint64_t bytes;          // whole pages
    std::uint32_t access;         // hal::kRead and its like
    std::uint64_t data_offset;    // of `data`, from the module's base
    std::vector<std::byte> data;  // before relocation; what follows it in the segment is zero
  };
  struct Relocation {
    std::uint64_t offset;  // of a 64-bit word
    std::uint64_t target;  // offset that the word shall hold the address of
  };
  struct Variable {
    std::uint64_t offset, bytes;
  };
  struct Kernel {
    std::uint64_t descriptor_offset;
    castor_kernel_desc descriptor;
    std::vector<castor_note_param> params;
  };

  std::uint64_t bytes = 0;  // of address space, whole pages
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  std::map<std::string, Kernel, std::less<>> kernels;      // by mangled name
  std::map<std::string, Variable, std::less<>> variables;  // __device__ and __constant__
};

/// The size that an ELF file's headers claim, 0 if it is none: cuModuleLoadData gets no size.
std::size_t elf_bytes(const void* image);
Result<ModuleImage> parse_module(std::span<const std::byte> file);

}  // namespace castor::driver
