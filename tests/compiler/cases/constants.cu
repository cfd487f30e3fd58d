// about: constant memory and device variables with initial values, addresses in them relocated
// descriptor sum: const_bytes=24
// buffer out: i32 zero 4
// launch sum 1 4: out
// expect out: i32 21 32 43 54
__constant__ int weights[4] = {1, 2, 3, 4};
__device__ int offset = 20;
__constant__ int* pointer = &offset;
__device__ int counter;
__global__ void sum(int* out) {
  atomicAdd(&counter, 1);
  out[threadIdx.x] = weights[threadIdx.x] + *pointer + 10 * threadIdx.x;
}
