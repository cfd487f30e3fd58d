# A store to a page that may only be read.
#: fault permission address=0x500000 access=write lanes=0xffffffff pc=bad
  li t1, 0x500000
  lw t2, 0(t1)
bad:
  sb t2, 0(t1)
  ret
