// about: an intrinsic that has no lowering is an error at its line
// error: unsupported_error.cu:3:31: error: llvm.nvvm.mbarrier.init.shared is not supported yet
__global__ void k(int* out) { __nvvm_mbarrier_init_shared((__attribute__((address_space(3))) long*)out, 3); }
