# The trap instruction with a code, in lanes 3 and up, of CTA 1.
#: grid 2
#: block 8
#: fault trap lanes=0xf8 detail=77 block=1,0,0 thread=3,0,0 pc=bad
  csrr t0, ctaid.x
  beqz t0, done
  csrr t0, tid.x
  li t1, 3
  blt t0, t1, done
  li t1, 77
bad:
  castor.trap t1
done:
  ret
