// about: a kernel that needs many registers does not save those a function would have to keep; calls in it still return
// check: <.*busy.*>:
// check-not: sd\s+s[0-9]
// buffer out: i32 iota 32
// launch busy 1 32: out i32=3
// launch calls 1 32: out
// expect out: i32 17 56 95
__global__ void busy(int* out, int n) {
  int a[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) a[i] = out[threadIdx.x] + i * n;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 16; ++i) out[threadIdx.x] = a[i] ^ a[15 - i] ? a[0] : a[i];
}
__device__ __noinline__ int outer(int x) { return 39 * x + 17; }
__global__ void calls(int* out) { out[threadIdx.x] = outer(threadIdx.x); }
