// about: more static shared memory than CUDA allows is refused when compiling
// error: kernel big(float*) uses too much static shared memory (49156 bytes, 49152 at most)
__global__ void big(float* out) {
  __shared__ float tile[12289];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[12288 - threadIdx.x];
}
