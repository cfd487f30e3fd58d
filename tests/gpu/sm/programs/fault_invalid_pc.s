# A call through a null function pointer in one lane.
#: fault invalid_pc lanes=0x20 address=0x0 access=execute thread=5,0,0
  csrr t0, tid.x
  li t1, 5
  bne t0, t1, done
  jalr ra, x0
done:
  ret
