// What the runtime answers to arguments that cannot be right. None of them ends the context or the program.
#include <cstdlib>

#include "expect.h"

__global__ void store(int* out) { out[threadIdx.x] = threadIdx.x; }

static void host_memory() {
  int* pinned = nullptr;
  EXPECT_CODE(cudaErrorInvalidValue, cudaHostAlloc(&pinned, 64, 0x100));
  EXPECT_OK(cudaMallocHost(&pinned, 64));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(pinned));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeHost(pinned));

  constexpr size_t kBytes = 8192;
  void* own = std::aligned_alloc(4096, kBytes);
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeHost(own));
  EXPECT_OK(cudaHostRegister(own, kBytes, cudaHostRegisterDefault));
  EXPECT_CODE(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, kBytes, cudaHostRegisterDefault));
  EXPECT_OK(cudaHostUnregister(own));
  EXPECT_CODE(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
  std::free(own);
}

static void device_memory() {
  int *device = nullptr, on_stack = 0;
  EXPECT_OK(cudaMalloc(&device, 100));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(device + 10, device, 1000, cudaMemcpyDeviceToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(&on_stack, 0, sizeof on_stack));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(device + 1));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMallocManaged(&device, 0));
  EXPECT_CODE(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, device));
  EXPECT_OK(cudaFree(device));
}

static void streams_and_events() {
  cudaStream_t stream;
  cudaEvent_t event;
  EXPECT_CODE(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 7));
  EXPECT_CODE(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x100));
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaStreamQuery(stream));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(0x1234567)));
  EXPECT_OK(cudaEventCreate(&event));
  EXPECT_OK(cudaEventQuery(event));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventRecord(event));
  store<<<1, 32, 0, reinterpret_cast<cudaStream_t>(0x999)>>>(nullptr);
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaGetLastError());
}

static void device() {
  size_t value = 0;
  EXPECT_CODE(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)));
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  EXPECT_CODE(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
}

int main() {
  host_memory();
  device_memory();
  streams_and_events();
  device();
  int *out = nullptr, last = 0;
  cudaGetLastError();
  EXPECT_OK(cudaMalloc(&out, 32 * sizeof(int)));
  store<<<1, 32>>>(out);
  EXPECT_OK(cudaMemcpy(&last, out + 31, sizeof last, cudaMemcpyDeviceToHost));
  EXPECT(last == 31);
  EXPECT_OK(cudaFree(out));
  return failures != 0;
}
