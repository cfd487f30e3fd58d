# Each thread: out[i] = 3 * in[i] + i, i over two blocks of 48 threads (a partial warp).
#: block 48
#: grid 2
#: in u32 0..95
#: out u32 0 4 8 12 16 20 24 28 32 36 40
#: out u32 @95 380 0
  csrr t0, tid.x
  csrr t1, ctaid.x
  csrr t2, ntid.x
  mul t1, t1, t2
  add t0, t0, t1
  ld t3, 0(a0)
  ld t4, 8(a0)
  sh2add t4, t0, t4
  sh2add t3, t0, t3
  lw t5, 0(t4)
  slli t6, t5, 1
  addw t5, t5, t6
  addw t5, t5, t0
  sw t5, 0(t3)
  ret
