# Half of the lanes call a function that the other half jumps around; the function itself diverges.
#: out u32 0 1001 2 2009 4 1025 6 2049 8 1081 10 2121 12 1169 14 2225 16 1289 18 2361 20 1441 22 2529 24 1625 26 2729 28 1841 30 2961
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  mv s1, ra
  mv a0, t0
  andi t1, t0, 1
  beqz t1, skip
  call square
skip:
  sw a0, 0(a2)
  jr s1
square:
  andi t2, a0, 2
  mul a0, a0, a0
  bnez t2, two
  addi a0, a0, 1000
  ret
two:
  addi a0, a0, 2000
  ret
