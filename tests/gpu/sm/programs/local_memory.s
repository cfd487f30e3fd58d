# Every thread fills an array on its stack with words, bytes and doublewords and reads it back; spills are interleaved by lane.
#: block 64
#: local 512
#: out u32 5 128 251 374 497 620 743 845 968 1091 1214 1337 1460 1583 1685 1808 1931 2054 2177 2300 2423 2525 2648 2771 2894 3017 3140 3263 3365 3488 3611 3734 3857 3980 4103 4205 4328 4451 4574 4697 4820 4943 5045 5168 5291 5414 5537 5660 5783 5885 6008 6131 6254 6377 6500 6623 6725 6848 6971 7094 7217 7340 7463 7565
  csrr t0, tid.x
  ld a2, 0(a0)
  sh2add a2, t0, a2
  addi sp, sp, -128
  li t1, 0
  mv t2, sp
fill:
  mul t3, t0, t1
  sw t3, 0(t2)
  addi t2, t2, 4
  addi t1, t1, 1
  li t4, 16
  bne t1, t4, fill
  li t4, 7
  remu t4, t0, t4
  add t5, sp, t4
  addi t6, t4, 0
  sh1add t6, t6, t6
  sb t6, 64(t5)         # at an offset of its own
  li t6, 5
  sd t6, 80(sp)
  li t1, 16
  mv t2, sp
  li t3, 0
sum:
  lw t6, 0(t2)
  add t3, t3, t6
  addi t2, t2, 4
  addi t1, t1, -1
  bnez t1, sum
  lbu t6, 64(t5)
  add t3, t3, t6
  ld t6, 80(sp)
  add t3, t3, t6
  addi sp, sp, 128
  sw t3, 0(a2)
  ret
