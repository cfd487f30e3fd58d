// Memory functions of the C library, for calls that the front end could not turn into intrinsics.
#include "compiler/devicelib/device.h"

FUNCTION(void*, memcpy)(void* to, const void* from, unsigned long size) {
  __builtin_memcpy(to, from, size);
  return to;
}
FUNCTION(void*, memmove)(void* to, const void* from, unsigned long size) {
  __builtin_memmove(to, from, size);
  return to;
}
FUNCTION(void*, memset)(void* to, int value, unsigned long size) {
  __builtin_memset(to, value, size);
  return to;
}
