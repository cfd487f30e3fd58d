// The Mandelbrot set: neighbouring threads leave their loops at different times. Draws a small picture.
#include <vector>

#include "sample.h"

// The host computes the same operations in the same order, without fused multiply-add on either side.
__host__ __device__ inline int escape_time(float x0, float y0, int limit) {
  float x = 0.0f, y = 0.0f;
  int steps = 0;
  while (steps < limit) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f) break;
    const float xy = x * y;
    x = xx - yy;
    x += x0;
    y = xy + xy;
    y += y0;
    ++steps;
  }
  return steps;
}

__global__ void mandelbrot(int width, int height, int limit, int* steps) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float x = -2.0f + column * (3.0f / width);
  const float y = -1.0f + row * (2.0f / height);
  steps[row * width + column] = escape_time(x, y, limit);
}

int main() {
  const int width = 128, height = 64, limit = 200;
  int* device_steps;
  CHECK(cudaMalloc(&device_steps, width * height * sizeof(int)));

  const dim3 block(16, 16);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  mandelbrot<<<grid, block>>>(width, height, limit, device_steps);
  CHECK(cudaGetLastError());
  std::vector<int> steps(width * height);
  CHECK(cudaMemcpy(steps.data(), device_steps, steps.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_steps));

  int wrong = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const float x = -2.0f + column * (3.0f / width);
      const float y = -1.0f + row * (2.0f / height);
      wrong += steps[row * width + column] != escape_time(x, y, limit);
      if (row % 4 == 0 && column % 2 == 0) std::putchar(" .:-=+*#%@"[steps[row * width + column] * 9 / limit]);
    }
    if (row % 4 == 0) std::putchar('\n');
  }
  // A point on the very edge may escape a step earlier or later where one side contracts a*b+c into one rounding.
  std::printf("mandelbrot of %dx%d points, %d differ\n", width, height, wrong);
  return verdict("mandelbrot", wrong <= width * height / 100);
}
