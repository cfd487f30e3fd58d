// about: what is missing of the language says so, at its line
// error: printf_error.cu:4:27: error: printf in device code is not supported yet
#include <cstdio>
__global__ void hello() { printf("hello %d\n", threadIdx.x); }
