# Odd lanes load a word from an address that is no multiple of four. Nothing of the instruction is retired.
#: fault misaligned_address lanes=0xaaaaaaaa address=0x200006 size=4 access=read thread=1,0,0 pc=bad
#: out u32 0*64
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  andi t1, t0, 1
  sh1add a2, t1, a2
bad:
  lw t2, 0(a2)
  sw t0, 0(a2)
  ret
