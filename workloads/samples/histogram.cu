// Histogram of bytes: each block counts in shared memory, then adds its counts to the whole.
#include <vector>

#include "sample.h"

constexpr int kBins = 256;

__global__ void histogram(int n, const unsigned char* data, unsigned* bins) {
  __shared__ unsigned block_bins[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) block_bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&block_bins[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) atomicAdd(&bins[bin], block_bins[bin]);
}

int main() {
  const int n = 200'000;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(kBins, 0), bins(kBins);
  unsigned random = 12345;
  for (int i = 0; i < n; ++i) {
    random = random * 1664525u + 1013904223u;
    // The product of two random bytes: small values are more frequent.
    data[i] = static_cast<unsigned char>(((random >> 24) * (random >> 8 & 0xff)) >> 8);
    ++expected[data[i]];
  }

  unsigned char* device_data;
  unsigned* device_bins;
  CHECK(cudaMalloc(&device_data, n));
  CHECK(cudaMalloc(&device_bins, kBins * sizeof(unsigned)));
  CHECK(cudaMemcpy(device_data, data.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_bins, 0, kBins * sizeof(unsigned)));

  histogram<<<16, 256>>>(n, device_data, device_bins);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(bins.data(), device_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_data));
  CHECK(cudaFree(device_bins));

  int wrong = 0;
  for (int bin = 0; bin < kBins; ++bin) wrong += bins[bin] != expected[bin];
  std::printf("histogram of %d bytes, %d of %d bins wrong\n", n, wrong, kBins);
  return verdict("histogram", wrong == 0);
}
