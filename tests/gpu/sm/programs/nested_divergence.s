# Loops with trip counts of their own around ifs within ifs; the expected values come from the same loops in Python.
#: out u32 5 7 1 116 101 1 7 16 1 118 5 7 1 116 101 1 7 16 1 118 5 7 1 116 101 1 7 16 1 118 5 7
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  li t1, 0              # acc
  li t6, 5
  remu t2, t0, t6
  addi t2, t2, 1        # trip count
  li t3, 0              # j
outer:
  add t4, t0, t3
  andi t4, t4, 1
  beqz t4, even
  li t6, 3
  remu t4, t3, t6
  li t5, 0              # k
inner:
  bge t5, t4, joined
  li t6, 7
  mul t6, t6, t5
  addi t6, t6, 1
  add t1, t1, t6
  addi t5, t5, 1
  j inner
even:
  li t6, 2
  ble t3, t6, small
  addi t1, t1, 100
  j joined
small:
  addi t6, t3, 5
  xor t1, t1, t6
joined:
  li t6, 3
  remu t6, t1, t6
  bnez t6, next
  addi t1, t1, 1
next:
  addi t3, t3, 1
  blt t3, t2, outer
  sw t1, 0(a2)
  ret
