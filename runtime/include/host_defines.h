// CUDA's specifiers for functions and variables: attributes where clang compiles CUDA, nothing in plain host code.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __cudart_builtin__
#define __forceinline__ __inline__ __attribute__((always_inline))

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Not built yet; an error that says so, since the host would read a variable of its own.
#define __managed__ __attribute__((device, unavailable("__managed__ variables are not supported yet")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Parameters are read in place by every kernel of ours, so the promise needs no attribute.
#define __grid_constant__
// `__noinline__` is a keyword of clang's CUDA mode.
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif

#endif
