# Lanes run off the end of a mapped buffer: only those past the page fault, and no lane stores.
#: fault illegal_address lanes=0xfffffff0 address=0x210000 size=4 access=write thread=4,0,0 pc=bad
#: out u32 @16380 0 0 0 0
  csrr t0, tid.x
  ld a2, 0(a0)
  li t1, 0xfff0
  add a2, a2, t1
  sh2add a2, t0, a2
bad:
  sw t0, 0(a2)
  ret
