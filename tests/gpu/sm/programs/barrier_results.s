# Barriers with a result: count, all, any; the predicates differ between warps and lanes.
#: block 64
#: out u32 21 0 1 1 0 64
  csrr t0, tid.x
  ld a2, 0(a0)
  li t1, 3
  remu t1, t0, t1
  seqz t1, t1           # 22 of 64 threads; thread 63 excluded below: 21
  li t2, 63
  xor t3, t0, t2
  snez t3, t3
  and t1, t1, t3
  castor.bar.popc s0, x0, t1
  castor.bar.and s1, x0, t1
  castor.bar.or s2, x0, t1
  li t4, 1
  castor.bar.and s3, x0, t4
  castor.bar.or s4, x0, x0
  castor.bar.popc s5, x0, t4
  bnez t0, done
  sw s0, 0(a2)
  sw s1, 4(a2)
  sw s2, 8(a2)
  sw s3, 12(a2)
  sw s4, 16(a2)
  sw s5, 20(a2)
done:
  ret
