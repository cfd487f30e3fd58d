// What CUDA source may name in device code. cuda_runtime.h includes it, after the vector types and before <math.h>, so that
// <cmath> finds our device overloads beside the C library's functions.
#pragma once

#if defined(__CUDA__) && defined(__cplusplus)

#include "castor/device/builtin_variables.h"
#include "castor/device/sync.h"

#endif
