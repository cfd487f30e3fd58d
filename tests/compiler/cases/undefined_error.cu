// about: a device function without a body is an error at its call
// error: undefined_error.cu:4:50: error: no device code for function missing(int)
__device__ int missing(int x);
__global__ void k(int* out) { out[threadIdx.x] = missing(threadIdx.x); }
