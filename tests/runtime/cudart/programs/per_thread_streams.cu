// Compiled for per-thread default streams: stream 0 is the thread's own, and blocking copies wait for it.
// cc: -default-stream per-thread
#include <thread>
#include <vector>

#include "expect.h"

__global__ void add_one(int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

static void work(int rounds, int* wrong) {
  const int n = 1000;
  std::vector<int> host(n, 0);
  int* device = nullptr;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess) return;
  cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i < rounds; ++i) add_one<<<8, 128>>>(n, device);
  cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  *wrong = 0;
  for (int value : host) *wrong += value != rounds;
}

int main() {
  int wrong[3] = {-1, -1, -1};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, 3 + i, &wrong[i]);
  for (auto& thread : threads) thread.join();
  for (int count : wrong) EXPECT(count == 0);
  return failures != 0;
}
