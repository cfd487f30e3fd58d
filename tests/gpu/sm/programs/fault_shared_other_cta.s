# The shared memory of another resident CTA cannot be reached through its window.
#: grid 2
#: shared 128
#: fault out_of_range_shared block=0,0,0 access=write pc=bad
  li t1, 0x100000
  add t1, t1, tp
bad:
  sw t1, 0(t1)
  ret
