# Producer and consumer warps: the producers arrive without waiting, the consumers wait for both (barrier 3, 64 threads).
#: block 64
#: shared 128
#: out u32 @0 155 150 145 140 135 130 125 120 115 110 105 100 95 90 85 80 75 70 65 60 55 50 45 40 35 30 25 20 15 10 5 0
  csrr t0, tid.x
  ld a2, 0(a0)
  li t1, (64 << 8) | 3
  li t2, 32
  blt t0, t2, consumer
  addi t3, t0, -32
  sh2add t4, t3, tp
  sh2add t3, t3, t3
  sw t3, 0(t4)
  castor.bar.arrive t1
  ret
consumer:
  castor.bar.sync t1
  li t3, 31
  sub t3, t3, t0
  sh2add t3, t3, tp
  lw t3, 0(t3)
  sh2add a2, t0, a2
  sw t3, 0(a2)
  ret
