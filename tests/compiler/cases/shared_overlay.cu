// about: variables of different kernels overlay each other; one that both reach through a function has one place
// descriptor first: shared_static=132
// descriptor second: shared_static=1028
// descriptor third: shared_static=0
// buffer out: i32 zero 4
// launch first 1 1: out i32=3
// launch second 1 1: out i32=4
// expect out: i32 103 204
__shared__ int common;
__device__ __noinline__ int via(int x) {
  common = x;
  __syncthreads();
  return common;
}
__global__ void first(int* out, int x) {
  __shared__ int a[32];
  a[x] = 100;
  __syncthreads();
  out[0] = a[x] + via(x);
}
__global__ void second(int* out, int x) {
  __shared__ int b[256];
  b[x + 100] = 200;
  __syncthreads();
  out[1] = b[x + 100] + via(x);
}
__global__ void third(int* out) { out[2] = 1; }
