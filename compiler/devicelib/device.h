// What the device library's sources share: they see no CUDA header, only the compiler.
#pragma once

#define __device__ __attribute__((device))
#define DEVICE extern "C" __device__
