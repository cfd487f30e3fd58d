// Runs into the fault that its argument names; driver's report on stderr is what the test looks at.
#include <cstdio>
#include <cstdlib>

__global__ void out_of_bounds(int* p, int n) {
  p[blockIdx.x * blockDim.x + threadIdx.x + n] = 1;  // line 6
}

__global__ void misaligned(char* p) {
  *reinterpret_cast<int*>(p + 2) = 1;  // line 10
}

__global__ void trap_in_thread(int which) {
  if (threadIdx.x == which) __trap();  // line 14
}

__global__ void deadlock() {
  if (threadIdx.x < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

int main(int, char** arguments) {
  int* memory = nullptr;
  cudaMalloc(&memory, 4096);
  switch (std::atoi(arguments[1])) {
    case 0: out_of_bounds<<<8, 128>>>(memory, 1024 - 3 * 128 - 32); break;
    case 1: out_of_bounds<<<1, 1>>>(nullptr, 0); break;
    case 2: misaligned<<<1, 1>>>(reinterpret_cast<char*>(memory)); break;
    case 3: trap_in_thread<<<1, 64>>>(33); break;
    case 4: deadlock<<<1, 32>>>(); break;
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d\n", static_cast<int>(error));
  return cudaDeviceSynchronize() == error && cudaMalloc(&memory, 4) == error ? 0 : 1;  // it sticks
}
