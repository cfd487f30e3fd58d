// about: extern shared memory lies behind the static one and is the same for every declaration
// descriptor swap: shared_static=8
// check: csrr\s+\w+, 0xcdb
// buffer out: f32 zero 32
// launch swap 1 32 128: out
// expect out: f32 iota 32 32 -1
extern __shared__ float dynamic[];
__device__ float other(int i) { return dynamic[i]; }
__global__ void swap(float* out) {
  __shared__ double one;
  if (threadIdx.x == 0) one = 1.0;
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = other(31 - threadIdx.x) + static_cast<float>(one);
}
