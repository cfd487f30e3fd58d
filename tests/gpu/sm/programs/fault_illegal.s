# A word that is no instruction.
#: fault illegal_instruction lanes=0xffffffff pc=bad
bad:
  .word 0
