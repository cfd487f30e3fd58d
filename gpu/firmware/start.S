# GSP firmware: header (struct castor_gsp_image), entry, trap handler. The boot ROM has cleared nothing below the stack,
# but SRAM is zero after power-up, so .bss is.
    .section .header, "a"
    .4byte  0x46505347            # magic
    .4byte  1                     # ABI: CASTOR_MESSAGE_VERSION
    .8byte  _start
    .4byte  __image_bytes
    .4byte  0x00000100            # version
    .8byte  0                     # signature, filled in by sign_firmware.py

    .section .text.start, "ax"
    .globl _start
_start:
    lla     sp, __stack_top
    lla     t0, trapped
    csrw    mtvec, t0
    li      t0, 1 << 11           # MEIE: ends wfi; interrupts are polled for, never taken
    csrw    mie, t0
    call    firmware_main
1:  wfi
    j       1b

    .align  2
trapped:
    csrr    a0, mepc
    csrr    a1, mcause
    lla     sp, __stack_top
    j       firmware_crashed
