// about: __trap ends the kernel with a fault
// buffer out: i32 zero 1
// launch stop 1 32: out
// fault: trap
__global__ void stop(int* out) {
  if (threadIdx.x == 5) __trap();
  out[0] = 1;
}
