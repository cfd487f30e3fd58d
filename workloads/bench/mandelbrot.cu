// Escape times of the Mandelbrot set: arithmetic with divergent loops, hardly any memory.
#include "bench.h"

__host__ __device__ inline int escape_time(float x0, float y0, int limit) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = next;
    ++steps;
  }
  return steps;
}

__global__ void mandelbrot(int* steps, int size, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < size && y < size) steps[y * size + x] = escape_time(x * 3.0f / size - 2, y * 3.0f / size - 1.5f, limit);
}

__attribute__((noinline)) static void mandelbrot_native(int* steps, int size, int limit) {
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      steps[y * size + x] = escape_time(x * 3.0f / size - 2, y * 3.0f / size - 1.5f, limit);
}

int main() {
  const int size = 512, limit = 256;
  std::vector<int> steps(size * size);
  int* device = to_device(steps);
  const double gpu = gpu_seconds([&] { mandelbrot<<<dim3(size / 32, size / 8), dim3(32, 8)>>>(device, size, limit); });
  const double native = seconds([&] { mandelbrot_native(steps.data(), size, limit); });
  // Device and host may contract x * x - y * y differently, which moves points at the very edge of the set.
  const std::vector<int> result = to_host(device, size * size);
  int different = 0;
  for (int i = 0; i < size * size; ++i) different += result[i] != steps[i];
  return report(different < size * size / 50, gpu, native);
}
