# Static rounding modes where nobody looks at fcsr: the same results from the fast kind of code.
#: out u32 @0 0x3f800000*32
#: out u32 @32 0x3f800001*32
#: out u32 @64 2*32
#: out u32 @96 3*32
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  li t1, 0x3f800000
  fmv.w.x fa0, t1
  li t1, 0x33000000
  fmv.w.x fa1, t1
  fadd.s fa2, fa0, fa1
  fsw fa2, 0(a2)
  fadd.s fa2, fa0, fa1, rup
  fsw fa2, 128(a2)
  li t1, 0x40200000     # 2.5
  fmv.w.x fa1, t1
  fcvt.w.s t2, fa1, rtz
  sw t2, 256(a2)
  fcvt.w.s t2, fa1, rup
  sw t2, 384(a2)
  ret
