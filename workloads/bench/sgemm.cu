// C = A B through 16 x 16 tiles in shared memory, and blocked in the same way on the host.
#include <cmath>

#include "bench.h"

constexpr int kTile = 16;

__global__ void sgemm(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__attribute__((noinline)) static void sgemm_native(const float* a, const float* b, float* c, int n) {
  for (int row = 0; row < n; row += kTile)
    for (int start = 0; start < n; start += kTile)
      for (int y = row; y < row + kTile; ++y)
        for (int k = start; k < start + kTile; ++k)
          for (int x = 0; x < n; ++x) c[y * n + x] += a[y * n + k] * b[k * n + x];
}

int main() {
  const int n = 512;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = float(i % 13) - 6, b[i] = float(i % 7) - 3;
  float *da = to_device(a), *db = to_device(b), *dc = to_device(c);
  const double gpu = gpu_seconds([&] { sgemm<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(da, db, dc, n); });
  const double native = seconds([&] { sgemm_native(a.data(), b.data(), c.data(), n); });
  // All products and sums are small whole numbers: any order of addition gives the same bits.
  return report(to_host(dc, n * n) == c, gpu, native);
}
