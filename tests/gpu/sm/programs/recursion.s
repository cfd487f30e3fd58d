# Recursive Fibonacci of tid mod 10: divergence inside calls of different depth.
#: local 4096
#: out u32 0 1 1 2 3 5 8 13 21 34 0 1 1 2 3 5 8 13 21 34 0 1 1 2 3 5 8 13 21 34 0 1
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  addi sp, sp, -16
  sd ra, 8(sp)
  sd a2, 0(sp)
  li t1, 10
  remu a0, t0, t1
  call fib
  ld a2, 0(sp)
  ld ra, 8(sp)
  addi sp, sp, 16
  sw a0, 0(a2)
  ret
fib:
  li t1, 2
  bltu a0, t1, leaf
  addi sp, sp, -32
  sd ra, 24(sp)
  sd s0, 16(sp)
  sd s1, 8(sp)
  mv s0, a0
  addi a0, s0, -1
  call fib
  mv s1, a0
  addi a0, s0, -2
  call fib
  add a0, a0, s1
  ld ra, 24(sp)
  ld s0, 16(sp)
  ld s1, 8(sp)
  addi sp, sp, 32
leaf:
  ret
