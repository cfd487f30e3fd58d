# Warp 1 waits at a barrier of 96 threads to which only 64 can come.
#: block 64
#: fault barrier_deadlock detail=5 warp=0 lanes=0xffffffff pc=bad
  li t1, (96 << 8) | 5
bad:
  castor.bar.sync t1
  ret
