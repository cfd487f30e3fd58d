// about: integer and floating-point atomics on global and shared memory, from many threads
// buffer i: i32 0 0 100 -1 0 -1 0 0 7 5
// buffer u: u64 0 0 1
// buffer f: f32 0 0 3
// buffer d: f64 0
// buffer old: i32 zero 1
// launch add 2 64: i u f d
// expect i: i32 8128 128 -28 0 127 -1 0x7f 1 1 2
// expect u: u64 8128 127
// expect f: f32 128 64 9
// expect d: f64 64
__global__ void add(int* i, unsigned long long* u, float* f, double* d) {
  __shared__ float sum;
  __shared__ unsigned wrapped;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0, wrapped = 0;
  __syncthreads();
  atomicAdd(i + 0, t);
  atomicInc(reinterpret_cast<unsigned*>(i + 1), 1000);
  atomicSub(i + 2, 1);
  atomicAnd(i + 3, t % 2 == 0 ? 0xff00 : 0xff);
  atomicMax(i + 4, t);
  atomicMin(i + 5, t);
  atomicOr(i + 6, t);
  atomicExch(i + 7, 1);
  if (t == 0) atomicCAS(i + 8, 7, 1), atomicCAS(i + 9, 7, 1);
  if (t == 1)
    atomicDec(reinterpret_cast<unsigned*>(i + 9), 9), atomicDec(reinterpret_cast<unsigned*>(i + 9), 9),
        atomicDec(reinterpret_cast<unsigned*>(i + 9), 9);
  atomicAdd(u, static_cast<unsigned long long>(t));
  atomicMax(u + 1, static_cast<unsigned long long>(t));
  atomicAdd(f, 1.0f);
  atomicAdd(&sum, 0.5f);
  atomicAdd(d, 0.5);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(f + 1, sum);
  if (t == 0) atomicExch(f + 2, 9.0f);
}
