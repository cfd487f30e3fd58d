// The least that uses the GPU: one kernel that does nothing. Its wall time is the price of the machine.
#include <cuda_runtime.h>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
