// Copies until an error comes; prints the error's name. Ends with 0 if it got one.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const std::size_t bytes = 1 << 20;
  std::vector<char> host(bytes);
  char* device = nullptr;
  if (cudaMalloc(&device, bytes) != cudaSuccess) return 1;
  std::puts("copying");
  std::fflush(stdout);
  for (;;) {
    const cudaError_t error = cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) continue;
    std::puts(cudaGetErrorName(error));
    return 0;
  }
}
