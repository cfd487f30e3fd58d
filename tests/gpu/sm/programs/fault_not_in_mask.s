# A lane that is not in its own mask.
#: fault illegal_instruction lanes=0xfffffffe thread=1,0,0 pc=bad
  li t1, 1
bad:
  castor.warp.sync t1
  ret
