# Tree reduction over shared memory by 128 threads with a barrier in each step.
#: block 128
#: shared 512
#: out u32 8128
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add t1, t0, tp
  sw t0, 0(t1)
  li t2, 64
step:
  castor.bar.sync x0
  bge t0, t2, skip
  sh2add t3, t2, t1
  lw t3, 0(t3)
  lw t4, 0(t1)
  add t4, t4, t3
  sw t4, 0(t1)
skip:
  srli t2, t2, 1
  bnez t2, step
  bnez t0, done
  lw t4, 0(tp)
  sw t4, 0(a2)
done:
  ret
