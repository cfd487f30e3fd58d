// about: function pointers, a table of them in memory, virtual functions
// descriptor pick: flags=1
// buffer out: i32 zero 8
// launch pick 1 8: out
// expect out: i32 1 3 0 9 5 7 0 49
typedef int (*Operation)(int);
__device__ __noinline__ int plus_one(int x) { return x + 1; }
__device__ __noinline__ int two_x_plus_one(int x) { return 2 * x + 1; }
__device__ __noinline__ int zero(int) { return 0; }
struct Shape {
  __device__ virtual int area(int x) const = 0;
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};
__device__ Operation table[3] = {plus_one, two_x_plus_one, zero};
__global__ void pick(int* out) {
  int i = threadIdx.x;
  Square square;
  const Shape* volatile shape = &square;
  out[i] = i % 4 == 3 ? shape->area(i) : table[i % 4](i % 4 == 1 && i > 1 ? i - 2 : i);
}
