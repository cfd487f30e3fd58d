# An address beyond the 48-bit generic space.
#: fault invalid_address_space address=0x1000000000000 lanes=0x1 pc=bad
  csrr t0, tid.x
  bnez t0, done
  li t1, 0x1000000000000
bad:
  ld t2, 0(t1)
done:
  ret
