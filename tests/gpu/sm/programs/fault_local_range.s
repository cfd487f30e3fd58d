# Another thread's local memory.
#: fault out_of_range_local lanes=0xffffffff access=read size=8 pc=bad
bad:
  ld t1, 0(sp)
  ret
