// Waits for a kernel that never ends; prints the error that ends the wait.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void spin(volatile int* stop) {
  while (*stop == 0) {
  }
}

int main() {
  int* stop = nullptr;
  if (cudaMalloc(&stop, sizeof(int)) != cudaSuccess || cudaMemset(stop, 0, sizeof(int)) != cudaSuccess) return 1;
  spin<<<1, 32>>>(stop);
  std::puts("waiting");
  std::fflush(stdout);
  const cudaError_t error = cudaDeviceSynchronize();
  std::puts(cudaGetErrorName(error));
  return error == cudaSuccess;
}
