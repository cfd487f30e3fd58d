// The built-in vector types and dim3, with the alignments of the CUDA C++ Programming Guide, "Built-in Vector Types".
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define CASTOR_VECTORS(type, name, align2, align3, align4) \
  struct name##1 { type x; };                              \
  struct __align__(align2) name##2 { type x, y; };         \
  struct __align__(align3) name##3 { type x, y, z; };      \
  struct __align__(align4) name##4 { type x, y, z, w; };   \
  typedef struct name##1 name##1;                          \
  typedef struct name##2 name##2;                          \
  typedef struct name##3 name##3;                          \
  typedef struct name##4 name##4;

CASTOR_VECTORS(signed char, char, 2, 1, 4)
CASTOR_VECTORS(unsigned char, uchar, 2, 1, 4)
CASTOR_VECTORS(short, short, 4, 2, 8)
CASTOR_VECTORS(unsigned short, ushort, 4, 2, 8)
CASTOR_VECTORS(int, int, 8, 4, 16)
CASTOR_VECTORS(unsigned int, uint, 8, 4, 16)
CASTOR_VECTORS(long int, long, 16, 8, 16)
CASTOR_VECTORS(unsigned long int, ulong, 16, 8, 16)
CASTOR_VECTORS(long long int, longlong, 16, 8, 16)
CASTOR_VECTORS(unsigned long long int, ulonglong, 16, 8, 16)
CASTOR_VECTORS(float, float, 8, 4, 16)
CASTOR_VECTORS(double, double, 16, 8, 16)
#undef CASTOR_VECTORS

// CUDA 13's names that say how a 32-byte vector is aligned.
#define CASTOR_WIDE_VECTOR(type, name)                   \
  struct __align__(16) name##4_16a { type x, y, z, w; }; \
  struct __align__(32) name##4_32a { type x, y, z, w; }; \
  typedef struct name##4_16a name##4_16a;                \
  typedef struct name##4_32a name##4_32a;

CASTOR_WIDE_VECTOR(long int, long)
CASTOR_WIDE_VECTOR(unsigned long int, ulong)
CASTOR_WIDE_VECTOR(long long int, longlong)
CASTOR_WIDE_VECTOR(unsigned long long int, ulonglong)
CASTOR_WIDE_VECTOR(double, double)
#undef CASTOR_WIDE_VECTOR

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
