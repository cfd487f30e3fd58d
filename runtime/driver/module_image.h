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
    std::uint64_t offset;  // in memory, from the module's base
    std::uint64_t bytes;   // in memory
    std::uint32_t access;  // hal::kRead and its like
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

  std::vector<std::byte> memory;  // as it lies in memory at base 0, before relocation
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  std::map<std::string, Kernel, std::less<>> kernels;      // by mangled name
  std::map<std::string, Variable, std::less<>> variables;  // __device__ and __constant__
};

/// The size that an ELF file's headers claim, 0 if it is none: cuModuleLoadData gets no size.
std::size_t elf_bytes(const void* image);
Result<ModuleImage> parse_module(std::span<const std::byte> file);

}  // namespace castor::driver
