// Name, SMs and memory of the device; nothing is launched.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  std::size_t free_bytes = 0, total = 0;
  if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) return 2;
  // The firmware keeps less than a MiB-rounded handful of the memory for itself.
  std::printf("%s, %d SMs, %zu MiB\n", properties.name, properties.multiProcessorCount,
              (total + (16u << 20) - 1) / (16u << 20) * 16);
  return 0;
}
