// about: the first kernel: parameters, special registers, a guard
// params saxpy: 0:4:4 4:4:4 8:8:8 16:8:8
// descriptor saxpy: param_bytes=24 shared_static=0 local_bytes=0 max_threads=0 flags=0 ptx_version=120
// check: fmadd\.s
// buffer x: f32 iota 64
// buffer y: f32 iota 64 100
// launch saxpy 2 32: i32=40 f32=2 x y
// expect y: f32 100 103 106 109 112 115
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
