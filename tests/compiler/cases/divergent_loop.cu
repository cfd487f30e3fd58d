// about: a data-dependent if/else in a loop keeps most lanes together: blocks in reverse post-order, loops contiguous
// buffer out: u32 zero 32
// launch work 1 32: out i32=64
// simd work: 50
__global__ void work(unsigned* out, int n) {
  unsigned x = threadIdx.x * 2654435761u + 12345u, sum = 0;
  for (int i = 0; i < n; ++i) {
    x = x * 1664525u + 1013904223u;
    if (x & 0x80000000u) {
      sum += x ^ (x >> 7);
      sum = sum * 3 + 1;
    } else {
      sum ^= x << 3;
      sum = sum * 5 + 7;
      sum ^= sum >> 11;
    }
    sum += i;
  }
  out[threadIdx.x] = sum;
}
