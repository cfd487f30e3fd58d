// __device__ and __constant__ variables from the host: copies with offsets, address, size, and what is refused.
#include "expect.h"

__constant__ float coefficients[4];
__device__ int counter = 40;
__device__ int table[16];
static __device__ double hidden = 2.5;

__global__ void use(float* out) {
  out[threadIdx.x] = coefficients[threadIdx.x] * 2;
  if (threadIdx.x == 0) {
    counter += 2;
    table[3] = 33;
    hidden *= 2;
  }
}

int not_on_the_device;

int main() {
  const float values[4] = {1, 2, 3, 4};
  EXPECT_OK(cudaMemcpyToSymbol(coefficients, values, sizeof values));
  const float nine = 9;
  EXPECT_OK(cudaMemcpyToSymbol(coefficients, &nine, sizeof nine, 2 * sizeof(float)));

  float *device = nullptr, out[4] = {};
  EXPECT_OK(cudaMalloc(&device, sizeof out));
  use<<<1, 4>>>(device);
  EXPECT_OK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 2 && out[1] == 4 && out[2] == 18 && out[3] == 8);

  int count = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT(count == 42);
  int entry = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&entry, table, sizeof entry, 3 * sizeof(int)));
  EXPECT(entry == 33);
  double real = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&real, hidden, sizeof real));
  EXPECT(real == 5.0);

  void* address = nullptr;
  size_t bytes = 0;
  EXPECT_OK(cudaGetSymbolAddress(&address, table));
  EXPECT_OK(cudaGetSymbolSize(&bytes, table));
  EXPECT(address != nullptr && bytes == sizeof table);
  EXPECT_OK(cudaMemset(address, 0, bytes));
  EXPECT_OK(cudaMemcpyFromSymbol(&entry, table, sizeof entry, 3 * sizeof(int)));
  EXPECT(entry == 0);

  EXPECT_CODE(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, not_on_the_device));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpyToSymbol(coefficients, values, sizeof values, sizeof(float)));
  EXPECT_CODE(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyToSymbol(coefficients, values, sizeof values, 0, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaFree(device));
  return failures != 0;
}
