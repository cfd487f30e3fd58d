// about: inline PTX is refused with its line
// error: inline_ptx_error.cu:6:3: error: inline PTX assembly "mov.u32 %0, %laneid;" is not supported yet
//
__global__ void lane(int* out) {
  int id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  out[threadIdx.x] = id;
}
