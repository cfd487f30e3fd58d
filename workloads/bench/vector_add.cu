// c = a + b: three memory operations for one addition.
#include "bench.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__attribute__((noinline)) static void add_native(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 22, rounds = 8;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = float(i % 1000), b[i] = float(i % 77);
  float *da = to_device(a), *db = to_device(b), *dc = to_device(c);
  const double gpu = gpu_seconds([&] {
    for (int round = 0; round < rounds; ++round) add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  });
  const double native = seconds([&] {
    for (int round = 0; round < rounds; ++round) add_native(a.data(), b.data(), c.data(), n);
  });
  return report(to_host(dc, n) == c, gpu, native);
}
