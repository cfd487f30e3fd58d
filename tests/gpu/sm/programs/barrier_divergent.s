# Lanes of a warp reach the same barrier from different instructions.
#: block 64
#: shared 4
#: out u32 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  li t2, 1
  amoadd.w x0, t2, (tp)
  andi t1, t0, 1
  beqz t1, even
  castor.bar.sync x0
  j join
even:
  castor.bar.sync x0
join:
  lw t3, 0(tp)
  sw t3, 0(a2)
  ret
