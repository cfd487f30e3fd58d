// about: recursion leaves the stack unbounded; the result is right
// descriptor fib: flags=1
// buffer out: i32 zero 12
// launch fib 1 12: out
// expect out: i32 0 1 1 2 3 5 8 13 21 34 55 89
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void fib(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
