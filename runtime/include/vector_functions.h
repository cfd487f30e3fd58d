// make_int2(x, y) and its family, for host and device.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define CASTOR_MAKE static __inline__ __host__ __device__
#define CASTOR_MAKE_4(type, name)                                       \
  CASTOR_MAKE struct name make_##name(type x, type y, type z, type w) { \
    struct name v = {x, y, z, w};                                       \
    return v;                                                           \
  }
#define CASTOR_MAKERS(type, name)                                     \
  CASTOR_MAKE struct name##1 make_##name##1(type x) {                 \
    struct name##1 v = {x};                                           \
    return v;                                                         \
  }                                                                   \
  CASTOR_MAKE struct name##2 make_##name##2(type x, type y) {         \
    struct name##2 v = {x, y};                                        \
    return v;                                                         \
  }                                                                   \
  CASTOR_MAKE struct name##3 make_##name##3(type x, type y, type z) { \
    struct name##3 v = {x, y, z};                                     \
    return v;                                                         \
  }                                                                   \
  CASTOR_MAKE_4(type, name##4)

CASTOR_MAKERS(signed char, char)
CASTOR_MAKERS(unsigned char, uchar)
CASTOR_MAKERS(short, short)
CASTOR_MAKERS(unsigned short, ushort)
CASTOR_MAKERS(int, int)
CASTOR_MAKERS(unsigned int, uint)
CASTOR_MAKERS(long int, long)
CASTOR_MAKERS(unsigned long int, ulong)
CASTOR_MAKERS(long long int, longlong)
CASTOR_MAKERS(unsigned long long int, ulonglong)
CASTOR_MAKERS(float, float)
CASTOR_MAKERS(double, double)
CASTOR_MAKE_4(long int, long4_16a)
CASTOR_MAKE_4(long int, long4_32a)
CASTOR_MAKE_4(unsigned long int, ulong4_16a)
CASTOR_MAKE_4(unsigned long int, ulong4_32a)
CASTOR_MAKE_4(long long int, longlong4_16a)
CASTOR_MAKE_4(long long int, longlong4_32a)
CASTOR_MAKE_4(unsigned long long int, ulonglong4_16a)
CASTOR_MAKE_4(unsigned long long int, ulonglong4_32a)
CASTOR_MAKE_4(double, double4_16a)
CASTOR_MAKE_4(double, double4_32a)
#undef CASTOR_MAKERS
#undef CASTOR_MAKE_4
#undef CASTOR_MAKE

#endif
