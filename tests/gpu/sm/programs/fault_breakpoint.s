# ebreak without a debugger.
#: fault breakpoint lanes=0xffffffff pc=bad
bad:
  ebreak
