// about: static shared memory is tp-relative, reversed across the block through a barrier
// descriptor reverse: shared_static=256
// check: mv\s+\w+, tp
// buffer in: i32 iota 64
// buffer out: i32 zero 64
// launch reverse 1 64: in out
// expect out: i32 iota 64 63 -1
__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[63 - i];
}
