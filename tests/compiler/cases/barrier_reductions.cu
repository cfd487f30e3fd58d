// about: barriers that count and combine, over two warps
// buffer out: i32 zero 4
// launch count 1 64: out
// expect out: i32 22 0 1 1
__global__ void count(int* out) {
  int i = threadIdx.x;
  int n = __syncthreads_count(i % 3 == 0);
  int all = __syncthreads_and(i < 63), any = __syncthreads_or(i == 63), yes = __syncthreads_and(i < 64);
  if (i == 40) out[0] = n, out[1] = all != 0, out[2] = any != 0, out[3] = yes != 0;
}
