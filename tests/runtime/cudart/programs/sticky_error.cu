// A fault ends the context: every later call answers with it, asking does not clear it, and a reset begins anew.
#include "expect.h"

__global__ void write_to(int* where) { *where = 1; }
__global__ void add_one(int* value) { *value += 1; }

int main() {
  int* memory = nullptr;
  EXPECT_OK(cudaMalloc(&memory, sizeof(int)));

  write_to<<<1, 1>>>(reinterpret_cast<int*>(0x10));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  EXPECT_CODE(cudaErrorIllegalAddress, cudaGetLastError());
  EXPECT_CODE(cudaErrorIllegalAddress, cudaGetLastError());  // sticky
  EXPECT_CODE(cudaErrorIllegalAddress, cudaPeekAtLastError());

  int value = 0;
  int* more = nullptr;
  cudaStream_t stream;
  EXPECT_CODE(cudaErrorIllegalAddress, cudaMalloc(&more, sizeof(int)));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaStreamCreate(&stream));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  add_one<<<1, 1>>>(memory);
  EXPECT_CODE(cudaErrorIllegalAddress, cudaGetLastError());

  EXPECT_OK(cudaDeviceReset());
  EXPECT_CODE(cudaSuccess, cudaGetLastError());
  EXPECT_OK(cudaMalloc(&memory, sizeof(int)));
  EXPECT_OK(cudaMemset(memory, 0, sizeof(int)));
  add_one<<<1, 1>>>(memory);
  EXPECT_OK(cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(value == 1);
  EXPECT_OK(cudaFree(memory));
  return failures != 0;
}
