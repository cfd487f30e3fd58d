// The GSP's boot ROM, built from rom.c, as bytes in the model.
#pragma once

#include <cstddef>
#include <span>

extern "C" const std::byte castor_boot_rom[], castor_boot_rom_end[];

namespace castor::gpu {
inline std::span<const std::byte> boot_rom() { return {castor_boot_rom, castor_boot_rom_end}; }
}  // namespace castor::gpu
