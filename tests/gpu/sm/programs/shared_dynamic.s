# Dynamic shared memory follows the static one at the next multiple of 16; both are zero at the start and belong to the CTA alone.
#: grid 3
#: shared 20 64
#: out u32 32 84 0
#: out u32 @3 1 1 1
  csrr t0, tid.x
  csrr t1, ctaid.x
  ld a2, 0(a0)
  csrr t2, dynshared
  sub t3, t2, tp
  csrr t4, shared.size
  li t5, 1
  amoadd.w x0, t5, (tp)
  castor.bar.sync x0
  amoadd.w t6, t5, (t2)
  castor.bar.sync x0
  bnez t0, done
  bnez t1, other
  sw t3, 0(a2)
  addi t4, t4, -12
  sw t4, 4(a2)
other:
  lw t6, 0(tp)
  addi t6, t6, -31
  sh2add a2, t1, a2
  sw t6, 12(a2)
done:
  ret
