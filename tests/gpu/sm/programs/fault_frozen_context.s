# After a fault nothing of the context goes on: the other CTA's store after a long delay never happens.
#: grid 2
#: block 1
#: fault illegal_address block=0,0,0 address=0x10
#: out u32 0
  csrr t0, ctaid.x
  ld a2, 0(a0)
  beqz t0, bad
  li t1, 1000000
delay:
  addi t1, t1, -1
  bnez t1, delay
  sw t0, 0(a2)
  ret
bad:
  lw t1, 16(x0)
  ret
