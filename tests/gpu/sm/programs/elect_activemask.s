# elect names the lowest lane of the mask; activemask shows who executes together after a branch.
#: schedule default
#: out u32 @0 0 0 0 0 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
#: out u32 @32 15 15 15 15 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280 4294967280
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  li t1, 4
  li t2, 0xf
  blt t0, t1, low
  li t2, 0xfffffff0
  castor.activemask t4
  sw t4, 128(a2)
  castor.elect t3, t2
  sw t3, 0(a2)
  ret
low:
  castor.activemask t4
  sw t4, 128(a2)
  castor.elect t3, t2
  sw t3, 0(a2)
  ret
