#include "gpu/firmware/boot_rom.h"

// CMake compiles this with the folder of the built ROM as include path.
asm(R"(
    .section .rodata
    .globl castor_boot_rom, castor_boot_rom_end
    .hidden castor_boot_rom, castor_boot_rom_end
castor_boot_rom:
    .incbin "gsp_rom.bin"
castor_boot_rom_end:
    .text
)");
