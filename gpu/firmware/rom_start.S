# Boot ROM: a stack at the top of SRAM, traps to the one handler, then C.
    .section .text.start, "ax"
    .globl _start
_start:
    li      sp, 0x80100000        # CASTOR_GSP_SRAM + CASTOR_GSP_SRAM_BYTES
    lla     t0, rom_trap
    csrw    mtvec, t0
    call    rom_main
1:  wfi
    j       1b

    .align  2
rom_trap:
    csrr    a0, mepc
    csrr    a1, mcause
    li      sp, 0x80100000        # CASTOR_GSP_SRAM + CASTOR_GSP_SRAM_BYTES
    j       rom_crashed
