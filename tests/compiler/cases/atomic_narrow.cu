// about: 16-bit compare-and-swap, 64-bit bit operations, double exchange, float maximum by compare-and-swap loop
// buffer h: i32 0x00050004
// buffer u: u64 0xff00ff00ff00ff00 12
// buffer f: f32 -3
// launch narrow 1 32: h u f
// expect h: i32 0x00090004
// expect u: u64 0x000000000f000f00 5
// expect f: f32 31
__device__ float atomic_max(float* place, float value) {
  int old = __float_as_int(*place);
  while (__int_as_float(old) < value) {
    int seen = atomicCAS(reinterpret_cast<int*>(place), old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}
__global__ void narrow(unsigned short* h, unsigned long long* u, float* f) {
  if (threadIdx.x == 0) atomicCAS(h + 1, static_cast<unsigned short>(5), static_cast<unsigned short>(9));
  if (threadIdx.x == 1) atomicCAS(h, static_cast<unsigned short>(5), static_cast<unsigned short>(9));
  atomicAnd(u, 0x00000000ffffffffull);
  __syncwarp();
  if (threadIdx.x == 0) atomicXor(u, 0xf000f000ull);
  if (threadIdx.x == 3) u[1] = atomicCAS(u + 1, 12ull, 5ull) == 12 ? 5 : 6;
  atomic_max(f, static_cast<float>(threadIdx.x));
}
