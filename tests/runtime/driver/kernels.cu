// Kernels for driver_api_program.cpp, which loads them as a module of its own.
#include <cstdint>

struct Point {
  float x, y;
  char tag;
};

__device__ int counter;
__constant__ int factor = 3;
__device__ int* pointer_to_counter = &counter;

extern "C" __global__ void scale(float* out, const float* in, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}

extern "C" __global__ void mixed(char a, Point p, double d, short b, double* out) {
  *out = a + p.x + p.y + p.tag + d + b;
}

extern "C" __global__ void count() { atomicAdd(pointer_to_counter, factor); }

extern "C" __global__ void shared_sum(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += values[i];
  *out = sum;
}

extern "C" __global__ void spin(volatile int* until) {
  while (*until == 0) {
  }
}

extern "C" __global__ void store_at(int* p) { *p = 1; }

extern "C" __global__ void set(int* p, int value) { *p = value; }
