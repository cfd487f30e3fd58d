// Inclusive prefix sum of a long array: every block scans its part, the blocks' totals are scanned, then added back.
#include <vector>

#include "sample.h"

constexpr int kBlock = 256;

// Hillis and Steele's scan, between two buffers in dynamic shared memory.
__global__ void scan_blocks(int n, const int* input, int* output, int* totals) {
  extern __shared__ int buffers[];
  int* from = buffers;
  int* to = buffers + blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  from[threadIdx.x] = i < n ? input[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    to[threadIdx.x] = from[threadIdx.x] + (threadIdx.x >= distance ? from[threadIdx.x - distance] : 0);
    __syncthreads();
    int* const swap = from;
    from = to;
    to = swap;
  }
  if (i < n) output[i] = from[threadIdx.x];
  if (totals && threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = from[threadIdx.x];
}

__global__ void add_totals(int n, int* output, const int* totals) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) output[i] += totals[blockIdx.x - 1];
}

// Scans n elements on the device; the recursion ends when one block holds them all.
void scan(int n, const int* input, int* output) {
  const int blocks = (n + kBlock - 1) / kBlock;
  const size_t shared_bytes = 2 * kBlock * sizeof(int);
  if (blocks == 1) {
    scan_blocks<<<1, kBlock, shared_bytes>>>(n, input, output, nullptr);
    return;
  }
  int* totals;
  CHECK(cudaMalloc(&totals, blocks * sizeof(int)));
  scan_blocks<<<blocks, kBlock, shared_bytes>>>(n, input, output, totals);
  scan(blocks, totals, totals);
  add_totals<<<blocks, kBlock>>>(n, output, totals);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(totals));
}

int main() {
  const int n = 70'001;  // three levels: 274 blocks, 2 blocks, 1 block
  std::vector<int> input(n), output(n);
  for (int i = 0; i < n; ++i) input[i] = i * 13 % 101 - 50;

  int *device_input, *device_output;
  CHECK(cudaMalloc(&device_input, n * sizeof(int)));
  CHECK(cudaMalloc(&device_output, n * sizeof(int)));
  CHECK(cudaMemcpy(device_input, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scan(n, device_input, device_output);
  CHECK(cudaMemcpy(output.data(), device_output, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_input));
  CHECK(cudaFree(device_output));

  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) wrong += output[i] != (sum += input[i]);
  std::printf("scan of %d elements, %d wrong\n", n, wrong);
  return verdict("scan", wrong == 0);
}
