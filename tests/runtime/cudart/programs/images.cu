// Host code whose GPU code the device cannot use: a launch says why, and other kernels still run.
#include <cstdint>

#include "expect.h"

extern "C" void** __cudaRegisterFatBinary(void* wrapper);
extern "C" void __cudaRegisterFatBinaryEnd(void** handle);
extern "C" void __cudaUnregisterFatBinary(void** handle);
extern "C" void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int, uint3*,
                                       uint3*, dim3*, dim3*, int*);

// The public layout of what host objects carry.
struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data;
  void* unused = nullptr;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version = 1, header_size = 16;
  std::uint64_t size = 0;
};

static char host_stub;

static cudaError_t launch_from(const Header& image) {
  Wrapper wrapper{.data = &image};
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &host_stub, &host_stub, "kernel", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  const cudaError_t error = cudaLaunchKernel(static_cast<const void*>(&host_stub), dim3(1), dim3(1), nullptr, 0, 0);
  __cudaUnregisterFatBinary(handle);
  return error;
}

__global__ void store(int* value) { *value = 7; }

int main() {
  const Header empty{.magic = 0xba55ed50};
  EXPECT_CODE(cudaErrorNoKernelImageForDevice, launch_from(empty));
  EXPECT_CODE(cudaErrorNoKernelImageForDevice, cudaGetLastError());
  const Header garbage{.magic = 0x12345678};
  EXPECT_CODE(cudaErrorInvalidKernelImage, launch_from(garbage));
  EXPECT_CODE(cudaErrorInvalidDeviceFunction,
              cudaLaunchKernel(static_cast<const void*>(&host_stub), dim3(1), dim3(1), nullptr, 0, 0));
  cudaGetLastError();

  int *device = nullptr, value = 0;
  EXPECT_OK(cudaMalloc(&device, sizeof(int)));
  store<<<1, 1>>>(device);
  EXPECT_OK(cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(value == 7);
  return failures != 0;
}
