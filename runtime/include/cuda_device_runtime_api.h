// What device code may call of the runtime. Launches from kernels are a gap; the host's declarations serve both sides.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#endif
