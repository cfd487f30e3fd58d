// The CUDA runtime's C interface: castor/api/*.inc has one row a function.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "builtin_types.h"
#include "host_defines.h"

#define CUDART_VERSION 13000

#if defined(__cplusplus)
#define __dv(v) = v
extern "C" {
#else
#define __dv(v)
#endif

// With a per-thread default stream, the plain name binds to the variant of the library: no macro renames user code.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define CASTOR_VARIANT(name, suffix) __asm__(#name suffix)
#else
#define CASTOR_VARIANT(name, suffix)
#endif

#define API(name, params, args) extern cudaError_t name params;
#define API_RETURNS(type, name, params, args) extern type name params;
#define API_PTSZ(name, params, args) extern cudaError_t name params CASTOR_VARIANT(name, "_ptsz");
#define API_PTDS(name, params, args) extern cudaError_t name params CASTOR_VARIANT(name, "_ptds");
#define API_13(name, params, args) API(name, params, args)
#define API_13_PTSZ(name, params, args) API_PTSZ(name, params, args)
#define GAP(name, params, why) extern cudaError_t name params;
#define GAP_PTSZ(name, params, why) API_PTSZ(name, params, ())
#define GAP_PTDS(name, params, why) API_PTDS(name, params, ())
#include "castor/api/runtime.inc"
#undef API
#undef API_RETURNS
#undef API_PTSZ
#undef API_PTDS
#undef API_13
#undef API_13_PTSZ
#undef GAP
#undef GAP_PTSZ
#undef GAP_PTDS
#undef CASTOR_VARIANT

#if defined(__cplusplus)
}
#endif
#undef __dv

#endif
