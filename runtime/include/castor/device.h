// What CUDA source may name in device code. cuda_runtime.h includes it, after the vector types.
#pragma once

#if defined(__CUDA__) && defined(__cplusplus)

/// A function of the language that device code calls: always a few instructions, so always in line.
#define CASTOR_DEVICE static __device__ __inline__ __attribute__((always_inline))

// Before any standard header, so that <cmath> finds our overloads beside the C library's functions.
#include <__clang_cuda_math_forward_declares.h>

#include "castor/device/builtin_variables.h"
#include "castor/device/system.h"

#include <cmath>
#include <cstdlib>
#include <limits>
// Device forms of operator new and delete: the compiler's own <new> wraps the library's.
#include <new>

#include "castor/device/atomics.h"
#include "castor/device/bits.h"
#include "castor/device/conversion.h"
#include "castor/device/float.h"
#include "castor/device/integer.h"
#include "castor/device/math.h"
#include "castor/device/memory.h"
#include "castor/device/min_max.h"
#include "castor/device/simd.h"
#include "castor/device/sync.h"
#include "castor/device/warp.h"

// Overloads of <cmath> for all argument types, over the functions of math.h.
#include <__clang_cuda_cmath.h>
// What the compiler calls to multiply and divide complex numbers.
#include <__clang_cuda_complex_builtins.h>

#endif
