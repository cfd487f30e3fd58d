# Odd lanes shuffle among themselves inside a branch while the even ones loop elsewhere.
#: out u32 0 1 6 1 12 3 18 5 24 7 30 9 36 11 42 13 48 15 54 17 60 19 66 21 72 23 78 25 84 27 90 29
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  andi t1, t0, 1
  beqz t1, even
  li t2, 0xaaaaaaaa
  li t3, 2
  castor.shfl.up t4, t0, t3, t2
  sw t4, 0(a2)
  ret
even:
  li t4, 0
  li t5, 3
loop:
  add t4, t4, t0
  addi t5, t5, -1
  bnez t5, loop
  sw t4, 0(a2)
  ret
