# Every word atomic of the A extension by 32 lanes on one word each.
#: in u32 19088743 2673524504 1032992969 3687428730 2046897195 406365660 3060801421 1420269886 4074705647 2434174112 793642577 3448078338 1807546803 167015268 2821451029 1180919494 3835355255 2194823720 554292185 3208727946 1568196411 4222632172 2582100637 941569102 3596004863 1955473328 314941793 2969377554 1328846019 3983281780 2342750245 702218710
#: out u32 2950984661 87123951 0 4294967295 2194823720 2046897195 19088743 4222632172
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3
  ld a2, 0(a0)
  lw t1, 0(a3)
  bnez t0, go
  li t2, 5
  sw t2, 0(a2)
  li t2, 252645135
  sw t2, 4(a2)
  li t2, 4294967295
  sw t2, 8(a2)
  li t2, 0
  sw t2, 12(a2)
  li t2, 0
  sw t2, 16(a2)
  li t2, 0
  sw t2, 20(a2)
  li t2, 4294967295
  sw t2, 24(a2)
  li t2, 0
  sw t2, 28(a2)
go:
  li t2, -1
  castor.warp.sync t2
  addi t3, a2, 0
  amoadd.w x0, t1, (t3)
  addi t3, a2, 4
  amoxor.w x0, t1, (t3)
  addi t3, a2, 8
  amoand.w x0, t1, (t3)
  addi t3, a2, 12
  amoor.w x0, t1, (t3)
  addi t3, a2, 16
  amomin.w x0, t1, (t3)
  addi t3, a2, 20
  amomax.w x0, t1, (t3)
  addi t3, a2, 24
  amominu.w x0, t1, (t3)
  addi t3, a2, 28
  amomaxu.w x0, t1, (t3)
  ret
