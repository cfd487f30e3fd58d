// about: malloc, free, new and delete in device code; memory that is freed can be had again
// buffer out: i32 zero 64
// launch churn 1 64: out
// launch objects 1 32: out
// expect out: i32 iota 32 0 3
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Bar : Shape {
  int length;
  __device__ explicit Bar(int l) : length(l) {}
  __device__ int area() const override { return 3 * length; }
};
__global__ void churn(int* out) {
  int lost = 0;
  for (int i = 0; i < 20; ++i) {
    // All threads together ask for 8 MB and more in the course of the loop.
    int* p = static_cast<int*>(malloc(10000));
    if (p == nullptr) {
      ++lost;
      continue;
    }
    p[0] = p[2499] = threadIdx.x;
    __syncwarp();
    if (p[0] != threadIdx.x || p[2499] != threadIdx.x) lost += 100;
    free(p);
  }
  out[threadIdx.x] = lost;
  if (malloc(100u << 20) != nullptr) out[threadIdx.x] += 1000;
}
__global__ void objects(int* out) {
  Shape* shape = new Bar(threadIdx.x);
  int* numbers = new int[threadIdx.x + 1];
  for (int i = 0; i <= threadIdx.x; ++i) numbers[i] = shape->area();
  out[threadIdx.x] += numbers[threadIdx.x];
  delete[] numbers;
  delete shape;
}
