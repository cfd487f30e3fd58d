// y = a x + y: one thread an element. The smallest complete CUDA program.
#include <cmath>
#include <vector>

#include "sample.h"

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 18;
  const float a = 2.0f;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 77);
  }

  float *device_x, *device_y;
  CHECK(cudaMalloc(&device_x, n * sizeof(float)));
  CHECK(cudaMalloc(&device_y, n * sizeof(float)));
  CHECK(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const int block = 256;
  saxpy<<<(n + block - 1) / block, block>>>(n, a, device_x, device_y);
  CHECK(cudaGetLastError());

  std::vector<float> result(n);
  CHECK(cudaMemcpy(result.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_y));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != a * x[i] + y[i];  // whole numbers: exact
  std::printf("saxpy of %d elements, %d wrong\n", n, wrong);
  return verdict("saxpy", wrong == 0);
}
