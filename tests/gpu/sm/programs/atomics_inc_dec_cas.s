# Wrapping increment and decrement, and compare-and-swap of 16, 32 and 64 bits in a loop.
#: out u32 10 1 32 0
#: out u64 @2 32
#: out u32 @6 0xabcd0020
  csrr t0, tid.x
  ld a2, 0(a0)
  li t1, 10
  castor.amoinc.w t2, t1, (a2)
  addi a3, a2, 4
  castor.amodec.w t2, t1, (a3)
  addi a3, a2, 8
loop32:
  lw t3, 0(a3)
  addi t4, t3, 1
  mv t5, t3
  .insn r 0x2f, 2, 0x14, t5, a3, t4     # amocas.w
  bne t5, t3, loop32
  addi a3, a2, 16
loop64:
  ld t3, 0(a3)
  addi t4, t3, 1
  mv t5, t3
  .insn r 0x2f, 3, 0x14, t5, a3, t4     # amocas.d
  bne t5, t3, loop64
  addi a3, a2, 26
  li t3, 0xabcd
  sh t3, 0(a3)
  addi a3, a2, 24
loop16:
  lh t3, 0(a3)
  addi t4, t3, 1
  mv t5, t3
  castor.amocas.h t5, t4, (a3)
  bne t5, t3, loop16
  ret
