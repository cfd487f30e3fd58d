// about: what is missing of the language says so, at its line
// error: printf_error.cu:6:3: error: printf in device code is not supported yet
// error: printf_error.cu:7:28: error: malloc in device code is not supported yet
#include <cstdio>
__global__ void hello(int** out) {
  printf("hello %d\n", threadIdx.x);
  *out = static_cast<int*>(malloc(8));
}
