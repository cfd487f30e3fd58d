# One word past the CTA's shared memory: the window goes on, the CTA's share does not.
#: shared 128
#: fault out_of_range_shared lanes=0x80000000 size=4 access=read thread=31,0,0 pc=bad
  csrr t0, tid.x
  addi t0, t0, 1
  sh2add t1, t0, tp
bad:
  lw t2, 0(t1)
  ret
