// Takes a quarter of the device's memory, has a kernel spin for ever, says so, and waits to be killed.
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>

__global__ void spin(volatile int* stop) {
  while (*stop == 0) {
  }
}

int main() {
  std::size_t free_bytes = 0, total = 0;
  void* memory = nullptr;
  int* stop = nullptr;
  if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) return 1;
  if (cudaMalloc(&memory, total / 4) != cudaSuccess) return 2;
  if (cudaMalloc(&stop, sizeof(int)) != cudaSuccess || cudaMemset(stop, 0, sizeof(int)) != cudaSuccess) return 3;
  spin<<<1, 32>>>(stop);
  if (cudaGetLastError() != cudaSuccess) return 4;
  std::puts("holding");
  std::fflush(stdout);
  for (;;) pause();
}
