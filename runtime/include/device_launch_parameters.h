// threadIdx and its kin come with cuda_runtime.h, which the compiler includes by itself.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#endif
