# Flags are each lane's own: lane 0 divides by zero, lane 1 overflows, lane 2 is inexact, lane 3 takes the root of a negative
# number, lane 4 is exact. nv dz of uf nx = 16 8 4 2 1.
#: block 5
#: in f32 1 0   3e38 1e-10   1 3   -1 1   6 2
#: out u32 8 5 1 16 0
#: out u32 @8 0 0 0 0 0
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh3add a3, t0, a3
  sh2add a2, t0, a2
  flw fa0, 0(a3)
  flw fa1, 4(a3)
  li t1, 3
  beq t0, t1, root
  fdiv.s fa2, fa0, fa1
  j done
root:
  fsqrt.s fa2, fa0
done:
  csrrw t2, fflags, x0
  sw t2, 0(a2)
  fadd.s fa2, fa1, fa1
  csrr t2, fflags
  sw t2, 32(a2)
  ret
