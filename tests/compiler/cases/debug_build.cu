// about: -G: no optimisation, the same results, debug information in the module
// options: -G
// descriptor sum: shared_static=132
// buffer in: i32 iota 32
// buffer out: i32 zero 1
// launch sum 1 32: in out
// expect out: i32 496
struct Pair {
  int a;
  float b;
};
__device__ int helper(Pair p) { return p.a; }
__global__ void sum(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ int total;
  Pair pair{in[threadIdx.x], 1.0f};
  tile[threadIdx.x] = helper(pair);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, tile[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}
