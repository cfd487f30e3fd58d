// Sum of an array: grid-stride loop, shuffles within a warp, shared memory between warps, one atomic a block.
#include "bench.h"

__global__ void sum(const int* values, int n, int* total) {
  __shared__ int partial[32];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += values[i];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x == 0) atomicAdd(total, mine);
}

__attribute__((noinline)) static int sum_native(const int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += values[i];
  return total;
}

int main() {
  const int n = 1 << 22, rounds = 8;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 101 - 50;
  int* device = to_device(values);
  int* total = to_device(std::vector<int>{0});
  const double gpu = gpu_seconds([&] {
    for (int round = 0; round < rounds; ++round) sum<<<256, 256>>>(device, n, total);
  });
  int expected = 0;
  const double native = seconds([&] {
    for (int round = 0; round < rounds; ++round) expected += sum_native(values.data(), n);
  });
  return report(to_host(total, 1)[0] == expected, gpu, native);
}
