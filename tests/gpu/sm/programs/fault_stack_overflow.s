# A recursion that never ends: the first store below the thread's stack is a stack overflow.
#: local 256
#: fault stack_overflow lanes=0xffffffff access=write size=8 pc=bad
recurse:
  addi sp, sp, -16
bad:
  sd ra, 8(sp)
  call recurse
  ret
