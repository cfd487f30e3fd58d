# Odd and even lanes meet at two different warp.sync instructions; what one half wrote before, the other reads after.
#: shared 128
#: out u32 10 0 30 20 50 40 70 60 90 80 110 100 130 120 150 140 170 160 190 180 210 200 230 220 250 240 270 260 290 280 310 300
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  li t1, -1
  sh2add t2, t0, tp
  li t3, 10
  mul t3, t3, t0
  andi t4, t0, 1
  beqz t4, even
  li t5, 20
slow:
  addi t5, t5, -1
  bnez t5, slow
  sw t3, 0(t2)
  castor.warp.sync t1
  j join
even:
  sw t3, 0(t2)
  castor.warp.sync t1
join:
  xori t4, t0, 1
  sh2add t4, t4, tp
  lw t4, 0(t4)
  sw t4, 0(a2)
  ret
