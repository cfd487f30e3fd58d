# Atomic adds of single, double, packed halves and packed bfloat16: small whole numbers, so that order cannot matter.
#: out f32 496.0
#: out f64 @1 1488.0
#: out u32 @4 0x50005000
#: out u32 @5 0x42004200
  csrr t0, tid.x
  ld a2, 0(a0)
  fcvt.s.w ft0, t0
  castor.amofadd.s ft1, ft0, (a2)
  sh1add t1, t0, t0
  fcvt.d.w ft0, t1
  addi a3, a2, 8
  castor.amofadd.d ft1, ft0, (a3)
  li t1, 0x3c003c00     # 1.0, 1.0
  addi a3, a2, 16
  castor.amofadd.h2 t2, t1, (a3)
  li t1, 0x3f803f80     # 1.0, 1.0
  addi a3, a2, 20
  castor.amofadd.b2 t2, t1, (a3)
  ret
