# One plus a quarter of the last place, plus and minus, in each static mode and in a dynamic mode of each lane's own
# (frm = tid): rne rtz rdn rup rmm.
#: block 5
#: out u32 @0 0x3f800000*5
#: out u32 @8 0x3f800000*5
#: out u32 @16 0x3f800000*5
#: out u32 @24 0x3f800001*5
#: out u32 @32 0x3f800000*5
#: out u32 @40 0x3f800000 0x3f800000 0x3f800000 0x3f800001 0x3f800000
#: out u32 @48 0xbf800000 0xbf800000 0xbf800001 0xbf800000 0xbf800000
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  li t1, 0x3f800000
  fmv.w.x fa0, t1
  li t1, 0x33000000     # 2^-25
  fmv.w.x fa1, t1
  fadd.s fa2, fa0, fa1, rne
  fsw fa2, 0(a2)
  fadd.s fa2, fa0, fa1, rtz
  fsw fa2, 32(a2)
  fadd.s fa2, fa0, fa1, rdn
  fsw fa2, 64(a2)
  fadd.s fa2, fa0, fa1, rup
  fsw fa2, 96(a2)
  fadd.s fa2, fa0, fa1, rmm
  fsw fa2, 128(a2)
  csrw frm, t0
  fadd.s fa2, fa0, fa1
  fsw fa2, 160(a2)
  fneg.s fa0, fa0
  fsub.s fa2, fa0, fa1
  fsw fa2, 192(a2)
  ret
