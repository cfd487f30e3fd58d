// What this header used to declare comes with cuda_runtime.h.
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
