// The CUDA runtime for C and C++, and for CUDA source files everything of the language: the compiler includes it first.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__cplusplus)
#include "castor/occupancy.h"
#include "castor/older_toolkits.h"
#include "castor/runtime_templates.h"
#endif

#if defined(__CUDA__)
// What `kernel<<<grid, block, shared, stream>>>(…)` compiles to: clang pushes, the kernel's host stub pops and launches.
// The stub calls cudaLaunchKernel whatever the default stream is, so the push says what stream 0 means.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                    struct CUstream_st* stream = 0)
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
    __asm__("__cudaPushCallConfiguration_ptsz")
#endif
        ;
extern "C" unsigned int __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, void* stream);
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
extern "C" cudaError_t cudaLaunchKernel_ptsz(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                             size_t sharedMem, cudaStream_t stream);
#endif
#include "castor/device.h"
// The language promises these to every CUDA source file. They follow device.h, which declares the device's overloads first.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <utility>
#endif

#endif
