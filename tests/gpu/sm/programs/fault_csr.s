# Writing a read-only CSR.
#: fault illegal_instruction lanes=0xffffffff pc=bad
bad:
  csrw 0xcc0, t0
  ret
