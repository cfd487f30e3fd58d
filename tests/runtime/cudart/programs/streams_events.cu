// Streams keep their order, events order streams, time does not run backwards, and handles are checked.
#include "expect.h"

__global__ void fill(int n, int* values, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = what;
}
__global__ void copy_plus_one(int n, const int* from, int* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] + 1;
}

int main() {
  const int n = 4096;
  int *a = nullptr, *b = nullptr, *host = nullptr;
  EXPECT_OK(cudaMalloc(&a, n * sizeof(int)));
  EXPECT_OK(cudaMalloc(&b, n * sizeof(int)));
  EXPECT_OK(cudaMallocHost(&host, n * sizeof(int)));

  cudaStream_t first, second;
  cudaEvent_t start, filled, stop;
  EXPECT_OK(cudaStreamCreate(&first));
  EXPECT_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  EXPECT_OK(cudaEventCreate(&stop));

  EXPECT_OK(cudaEventRecord(start, first));
  fill<<<n / 256, 256, 0, first>>>(n, a, 7);
  EXPECT_OK(cudaEventRecord(filled, first));
  EXPECT_OK(cudaStreamWaitEvent(second, filled));
  copy_plus_one<<<n / 256, 256, 0, second>>>(n, a, b);
  EXPECT_OK(cudaMemcpyAsync(host, b, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  EXPECT_OK(cudaEventRecord(stop, second));
  EXPECT_OK(cudaEventSynchronize(stop));
  EXPECT_OK(cudaEventQuery(stop));
  EXPECT(host[0] == 8 && host[n - 1] == 8);

  float ms = -1;
  EXPECT_OK(cudaEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0);
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, filled));  // no timing

  EXPECT_OK(cudaStreamSynchronize(first));
  EXPECT_OK(cudaStreamQuery(first));
  unsigned flags = 9;
  EXPECT_OK(cudaStreamGetFlags(second, &flags));
  EXPECT(flags == cudaStreamNonBlocking);

  // The legacy default stream waits for blocking streams, and they for it.
  fill<<<n / 256, 256, 0, first>>>(n, a, 1);
  copy_plus_one<<<n / 256, 256>>>(n, a, b);
  copy_plus_one<<<n / 256, 256, 0, first>>>(n, b, a);
  EXPECT_OK(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 3 && host[n - 1] == 3);

  // Every thread has a stream of its own beside the legacy one.
  fill<<<n / 256, 256, 0, cudaStreamPerThread>>>(n, a, 5);
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT_OK(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(host[17] == 5);

  static int called = 0;
  EXPECT_OK(cudaLaunchHostFunc(first, [](void* data) { ++*static_cast<int*>(data); }, &called));
  EXPECT_OK(cudaStreamSynchronize(first));
  EXPECT(called == 1);

  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_OK(cudaEventDestroy(filled));
  EXPECT_OK(cudaEventDestroy(stop));
  EXPECT_OK(cudaStreamDestroy(first));
  EXPECT_OK(cudaStreamDestroy(second));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
  EXPECT_OK(cudaFreeHost(host));
  return failures != 0;
}
