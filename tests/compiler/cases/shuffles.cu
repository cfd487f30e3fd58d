// about: shuffles of every kind and width, 64-bit ones in one instruction
// buffer out: i32 zero 224
// buffer wide: f64 zero 32
// launch shuffle 1 32: out wide
// expect out: i32 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 0 1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 4 5 6 7 4 5 6 7 12 13 14 15 12 13 14 15 20 21 22 23 20 21 22 23 28 29 30 31 28 29 30 31 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30
// expect wide: f64 31.5 30.5 29.5 28.5 27.5
__global__ void shuffle(int* out, double* wide) {
  int lane = threadIdx.x;
  out[lane] = __shfl_sync(~0u, lane, 5);
  out[32 + lane] = __shfl_up_sync(~0u, lane, 2);
  out[64 + lane] = __shfl_down_sync(~0u, lane, 4, 8);
  out[96 + lane] = __shfl_xor_sync(~0u, lane, 1);
  wide[lane] = __shfl_sync(~0u, lane + 0.5, 31 - lane);
}
