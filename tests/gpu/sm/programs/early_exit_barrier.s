# Threads of two of three warps leave before the barrier of the whole CTA; the others go on.
#: block 96
#: shared 4
#: out u32 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  li t1, 32
  bge t0, t1, leave
  li t1, 16
  blt t0, t1, leave
  li t2, 1
  amoadd.w x0, t2, (tp)
  castor.bar.sync x0
  lw t3, 0(tp)
  sw t3, 0(a2)
leave:
  ret
