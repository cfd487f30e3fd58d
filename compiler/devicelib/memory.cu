// Memory functions of the C library.
#include "compiler/devicelib/device.h"

DEVICE void* memcpy(void* to, const void* from, unsigned long size) {
  __builtin_memcpy(to, from, size);
  return to;
}
DEVICE void* memmove(void* to, const void* from, unsigned long size) {
  __builtin_memmove(to, from, size);
  return to;
}
DEVICE void* memset(void* to, int value, unsigned long size) {
  __builtin_memset(to, value, size);
  return to;
}
