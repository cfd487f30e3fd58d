// Free bytes of device memory.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  std::size_t free_bytes = 0, total = 0;
  if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) return 1;
  std::printf("%zu\n", free_bytes);
  return 0;
}
