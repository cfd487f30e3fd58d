// about: launch bounds and architecture reach the descriptor
// options: -arch=sm_80
// descriptor bounded: max_threads=256 min_blocks=2 ptx_version=80
// descriptor free: max_threads=0 min_blocks=0
// buffer out: i32 zero 1
// launch bounded 1 1: out
// expect out: i32 800
__global__ void __launch_bounds__(256, 2) bounded(int* out) { *out = __CUDA_ARCH__; }
__global__ void free(int* out) { *out = 1; }
