# A store through a null pointer, in the lanes of the second warp only.
#: block 64
#: fault illegal_address lanes=0xffffffff address=0x0 size=8 access=write warp=1 thread=32,0,0 pc=bad
  csrr t0, tid.x
  li t1, 32
  blt t0, t1, done
bad:
  sd t0, 0(x0)
done:
  ret
