# A reserved rounding mode in frm is an illegal instruction of the operation that uses it, in the lanes concerned.
#: fault illegal_instruction lanes=0xffffffe0 pc=bad
  csrr t0, tid.x
  li t1, 7
  bltu t0, t1, set
  mv t0, t1
set:
  csrw frm, t0
bad:
  fadd.s fa0, fa0, fa0
  ret
