# An atomic on a page that does not allow atomics.
#: fault permission address=0x500000 access=atomic lanes=0xffffffff size=4 pc=bad
  li t1, 0x500000
bad:
  amoadd.w t2, t1, (t1)
  ret
