# Collatz steps of tid + 1, at most 60: a loop that each lane leaves at its own time, by two exits.
#: out u32 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7 7 15 15 10 23 10 60 18 18 18 60 5
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  addi t1, t0, 1
  li t2, 0
  li t5, 60
  li t6, 1
loop:
  beq t1, t6, done
  bge t2, t5, done
  addi t2, t2, 1
  andi t3, t1, 1
  beqz t3, halve
  sh1add t1, t1, t1
  addi t1, t1, 1
  j loop
halve:
  srli t1, t1, 1
  j loop
done:
  sw t2, 0(a2)
  ret
