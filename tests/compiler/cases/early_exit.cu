// about: threads that return before a barrier do not hold it up
// buffer out: i32 zero 64
// launch leave 1 64: out
// expect out: i32 zero 32
__global__ void leave(int* out) {
  if (threadIdx.x < 32) return;
  __syncthreads();
  out[threadIdx.x] = 7;
}
