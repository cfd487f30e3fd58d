# A jump to an address that is no multiple of four.
#: fault invalid_pc address=0x10002 lanes=0xffffffff
  li t1, 0x10002
  jr t1
