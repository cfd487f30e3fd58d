// about: a failed assert ends the kernel with a fault, one that holds does nothing
// buffer out: i32 zero 2
// launch holds 1 32: out
// launch fails 1 32: out
// expect out: i32 1 0
// fault: trap
#include <cassert>
__global__ void holds(int* out) {
  assert(threadIdx.x < 32);
  out[0] = 1;
}
__global__ void fails(int* out) {
  assert(threadIdx.x < 7);
  __syncwarp();
  out[1] = 1;
}
