# A ballot reached from two instructions that use different registers; each lane gets its result where it asked for it.
#: out u32 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071 2004318072 2004318071
  csrr t0, tid.x
  ld a2, 0(a0)
  ld a3, 8(a0)
  sh2add a2, t0, a2
  sh2add a3, t0, a3

  li t1, -1
  andi t2, t0, 3
  addi t2, t2, -3       # nonzero unless tid % 4 == 3
  andi t4, t0, 1
  beqz t4, even
  castor.vote.ballot t3, t2, t1
  sw t3, 0(a2)
  ret
even:
  mv s2, t2
  mv s3, t1
  castor.vote.ballot s4, s2, s3
  addi s4, s4, 1
  sw s4, 0(a2)
  ret
