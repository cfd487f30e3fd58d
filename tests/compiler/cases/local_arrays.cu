// about: arrays with dynamic indices live on the thread's stack, whose size the descriptor tells
// descriptor sort: flags=0 local_bytes=64
// buffer in: i32 9 3 7 1 5 8 2 6 4 0 15 11 13 12 10 14
// buffer out: i32 zero 16
// launch sort 1 1: in out
// expect out: i32 iota 16
__global__ void sort(const int* in, int* out) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = in[i];
#pragma unroll 1
  for (int i = 1; i < 16; ++i) {
    int v = a[i], j = i;
#pragma unroll 1
    for (; j > 0 && a[j - 1] > v; --j) a[j] = a[j - 1];
    a[j] = v;
  }
#pragma unroll 1
  for (int i = 0; i < 16; ++i) out[i] = a[i];
}
