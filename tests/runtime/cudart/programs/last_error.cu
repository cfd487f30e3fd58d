// The rules of the last error around launches (CUDA Runtime API, "Error Handling" and "Execution Control").
#include "expect.h"

__global__ void nothing() {}
__global__ void with_shared(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  out[0] = buffer[0];
}
__global__ void __launch_bounds__(64) bounded() {}

int not_a_kernel;

int main() {
  EXPECT_OK(cudaFree(nullptr));  // creates the context
  EXPECT_CODE(cudaSuccess, cudaGetLastError());

  nothing<<<1, 2048>>>();  // more threads than a block may have
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaGetLastError());
  EXPECT_CODE(cudaSuccess, cudaGetLastError());

  nothing<<<0, 32>>>();
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<1, dim3(0, 1, 1)>>>();
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<1, dim3(1, 1, 65)>>>();
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<dim3(1, 65536, 1), 32>>>();
  EXPECT_CODE(cudaErrorInvalidConfiguration, cudaGetLastError());

  int* out = nullptr;
  EXPECT_OK(cudaMalloc(&out, sizeof(int)));
  with_shared<<<1, 32, 100 << 20>>>(out);  // 100 MiB of shared memory
  EXPECT_CODE(cudaErrorInvalidValue, cudaGetLastError());
  with_shared<<<1, 32, 32 * sizeof(int)>>>(out);
  EXPECT_CODE(cudaSuccess, cudaGetLastError());

  bounded<<<1, 64>>>();
  EXPECT_CODE(cudaSuccess, cudaGetLastError());

  void* no_arguments[] = {nullptr};
  EXPECT_CODE(cudaErrorInvalidDeviceFunction,
              cudaLaunchKernel(static_cast<const void*>(&not_a_kernel), dim3(1), dim3(1), no_arguments, 0, 0));
  cudaFuncAttributes attributes;
  EXPECT_CODE(cudaErrorInvalidDeviceFunction,
              cudaFuncGetAttributes(&attributes, static_cast<const void*>(&not_a_kernel)));
  EXPECT_CODE(cudaErrorInvalidDeviceFunction, cudaGetLastError());

  // None of them ended the context.
  nothing<<<1, 32>>>();
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaFree(out));
  return failures != 0;
}
