// Sum of an array, twice: with warp shuffles and one atomic a block, and with an atomic on shared memory by every thread.
#include <vector>

#include "sample.h"

__device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;  // complete in lane 0
}

__global__ void sum_by_shuffle(int n, const int* input, int* total) {
  __shared__ int warp_totals[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += input[i];

  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  sum = warp_sum(sum);
  if (lane == 0) warp_totals[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    const int warps = blockDim.x / warpSize;
    sum = lane < warps ? warp_totals[lane] : 0;
    sum = warp_sum(sum);
    if (lane == 0) atomicAdd(total, sum);
  }
}

__global__ void sum_by_atomics(int n, const int* input, int* total) {
  __shared__ int block_total;
  if (threadIdx.x == 0) block_total = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&block_total, input[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, block_total);
}

int main() {
  const int n = 100'003, block = 256;
  std::vector<int> input(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += input[i] = i * 37 % 201 - 100;

  int *device_input, *device_totals;
  CHECK(cudaMalloc(&device_input, n * sizeof(int)));
  CHECK(cudaMalloc(&device_totals, 2 * sizeof(int)));
  CHECK(cudaMemcpy(device_input, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_totals, 0, 2 * sizeof(int)));

  sum_by_shuffle<<<32, block>>>(n, device_input, &device_totals[0]);
  sum_by_atomics<<<(n + block - 1) / block, block>>>(n, device_input, &device_totals[1]);
  CHECK(cudaGetLastError());

  int totals[2];
  CHECK(cudaMemcpy(totals, device_totals, sizeof totals, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_input));
  CHECK(cudaFree(device_totals));
  std::printf("sum of %d numbers: %d by shuffle, %d by atomics, %d expected\n", n, totals[0], totals[1], expected);
  return verdict("reduction", totals[0] == expected && totals[1] == expected);
}
