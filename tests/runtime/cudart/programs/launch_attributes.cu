// Launches beside <<<>>>: by address, with a configuration, cooperative; what a kernel says of itself.
#include <cstring>

#include "expect.h"

__global__ void store(int base, float scale, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = base + static_cast<int>(scale) * threadIdx.x;
}
__global__ void uses_shared(int* out) {
  __shared__ int buffer[512];
  buffer[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded() {}

int main() {
  const int n = 64;
  int *out = nullptr, base = 5;
  float scale = 2.5f;
  EXPECT_OK(cudaMallocManaged(&out, n * sizeof(int)));

  void* arguments[] = {&base, &scale, &out};
  EXPECT_OK(cudaLaunchKernel(store, dim3(2), dim3(32), arguments));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(out[0] == 5 && out[31] == 67 && out[32] == 5);

  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(1);
  configuration.blockDim = dim3(n);
  EXPECT_OK(cudaLaunchKernelEx(&configuration, store, 7, 1.0, out));  // 1.0 becomes the kernel's float
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(out[63] == 70);

  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, uses_shared));
  EXPECT(attributes.sharedSizeBytes == 512 * sizeof(int));
  EXPECT(attributes.binaryVersion == 120);
  EXPECT_OK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.maxThreadsPerBlock == 128);

  const char* name = nullptr;
  EXPECT_OK(cudaFuncGetName(&name, store));
  EXPECT(name && std::strstr(name, "store"));
  size_t offset = 0, bytes = 0;
  EXPECT_OK(cudaFuncGetParamInfo(reinterpret_cast<const void*>(store), 2, &offset, &bytes));
  EXPECT(offset == 8 && bytes == 8);
  EXPECT_CODE(cudaErrorInvalidValue, cudaFuncGetParamInfo(reinterpret_cast<const void*>(store), 3, &offset, &bytes));

  int limit = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_OK(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, limit + 1));
  cudaGetLastError();  // forget the two that were wanted
  store<<<1, n, limit>>>(1, 1.0f, out);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaDeviceSynchronize());
  uses_shared<<<1, n>>>(out);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(out[0] == 64 && out[63] == 1);
  EXPECT_OK(cudaFree(out));
  return failures != 0;
}
