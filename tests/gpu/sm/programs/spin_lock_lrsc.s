# The same with load-reserved and store-conditional, and three warps.
#: block 96
#: out u32 96 0
  ld a2, 0(a0)
  addi a3, a2, 4
  li t1, 1
acquire:
  lr.w.aq t2, (a3)
  bnez t2, acquire
  sc.w t2, t1, (a3)
  bnez t2, acquire
  lw t3, 0(a2)
  addi t3, t3, 1
  sw t3, 0(a2)
  fence rw, w
  sw x0, 0(a3)
  ret
