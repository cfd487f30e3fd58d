// C = A B by tiles: a block loads two tiles to shared memory, every thread sums one element of C.
#include <cmath>
#include <vector>

#include "sample.h"

constexpr int kTile = 16;

__global__ void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;

  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    const int a_column = start + threadIdx.x, b_row = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int main() {
  // None of them a multiple of the tile, so that the borders are exercised.
  const int m = 100, n = 135, k = 70;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = static_cast<float>(i * 7 % 19 - 9) / 8.0f;
  for (int i = 0; i < k * n; ++i) b[i] = static_cast<float>(i * 11 % 23 - 11) / 8.0f;

  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_c, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  matmul<<<grid, block>>>(m, n, k, device_a, device_b, device_c);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));

  double worst = 0.0;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      double sum = 0.0;
      for (int i = 0; i < k; ++i) sum += double(a[row * k + i]) * double(b[i * n + column]);
      worst = std::fmax(worst, std::fabs(sum - double(c[row * n + column])));
    }
  }
  std::printf("matmul of %dx%d by %dx%d, largest error %g\n", m, k, k, n, worst);
  return verdict("matmul", worst < 1e-4);
}
