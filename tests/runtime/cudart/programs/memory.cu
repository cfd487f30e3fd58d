// Allocation, copies in one, two and three dimensions, fills, pinned and managed memory, pointers' attributes.
#include <cstring>
#include <vector>

#include "expect.h"

__global__ void add_to_all(int n, int* values, int what) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] += what;
}

static void plain() {
  const int n = 1000;
  std::vector<int> in(n), out(n, -1);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *a = nullptr, *b = nullptr;
  EXPECT_OK(cudaMalloc(&a, n * sizeof(int)));
  EXPECT_OK(cudaMalloc(&b, n * sizeof(int)));
  EXPECT_OK(cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  add_to_all<<<4, 64>>>(n, a, 5);
  EXPECT_OK(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice));
  EXPECT_OK(cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDefault));
  EXPECT(out[0] == 5 && out[n - 1] == n + 4);

  EXPECT_OK(cudaMemset(b, 0xff, 10 * sizeof(int)));
  EXPECT_OK(cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(out[0] == -1 && out[9] == -1 && out[10] == 15);

  std::vector<int> other(n);
  EXPECT_OK(cudaMemcpy(other.data(), out.data(), n * sizeof(int), cudaMemcpyHostToHost));
  EXPECT(other == out);

  int* nothing = a;
  EXPECT_OK(cudaMalloc(&nothing, 0));
  EXPECT(nothing == nullptr);
  EXPECT_OK(cudaFree(nullptr));
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice));  // b is no host memory
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemcpy(nullptr, a, 4, cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMalloc(&nothing, size_t{1} << 45));
  EXPECT_OK(cudaFree(a));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(a));  // freed already
  EXPECT_OK(cudaFree(b));
  cudaGetLastError();
}

static void rows() {
  const int width = 30, height = 7;
  unsigned char* device = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&device, &pitch, width, height));
  EXPECT(pitch >= width && pitch % 32 == 0);
  std::vector<unsigned char> in(width * height), out(width * height, 0);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (unsigned char)(i * 3);
  EXPECT_OK(cudaMemset2D(device, pitch, 0x55, width, height));
  EXPECT_OK(cudaMemcpy2D(out.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  for (unsigned char c : out) EXPECT(c == 0x55);
  EXPECT_OK(cudaMemcpy2D(device, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(out.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT(in == out);
  EXPECT_CODE(cudaErrorInvalidPitchValue,
              cudaMemcpy2D(out.data(), width - 1, device, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaFree(device));
  cudaGetLastError();
}

static void boxes() {
  const cudaExtent extent = make_cudaExtent(20, 5, 3);
  cudaPitchedPtr device;
  EXPECT_OK(cudaMalloc3D(&device, extent));
  EXPECT(device.xsize == 20 && device.ysize == 5 && device.pitch >= 20);
  std::vector<unsigned char> in(20 * 5 * 3), out(in.size(), 0);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (unsigned char)(i + 1);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(in.data(), 20, 20, 5);
  p.dstPtr = device;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&p));
  p.srcPtr = device;
  p.dstPtr = make_cudaPitchedPtr(out.data(), 20, 20, 5);
  p.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&p));
  EXPECT(in == out);
  EXPECT_OK(cudaMemset3D(device, 9, extent));
  EXPECT_OK(cudaMemcpy3D(&p));
  EXPECT(out.front() == 9 && out.back() == 9);
  EXPECT_OK(cudaFree(device.ptr));
}

static void pinned() {
  const int n = 256;
  int* host = nullptr;
  EXPECT_OK(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  add_to_all<<<1, 64>>>(n, host, 1);  // the same address on both sides
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(host[0] == 1 && host[n - 1] == n);
  int* device_view = nullptr;
  EXPECT_OK(cudaHostGetDevicePointer(&device_view, host, 0));
  EXPECT(device_view == host);
  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, host));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == host);
  EXPECT_OK(cudaFreeHost(host));

  int on_stack = 0;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, &on_stack));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  int* device = nullptr;
  EXPECT_OK(cudaMalloc(&device, 64));
  EXPECT_OK(cudaPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0 && attributes.devicePointer == device + 3);
  EXPECT_OK(cudaFree(device));
}

static void managed() {
  const int n = 500;
  int* values = nullptr;
  EXPECT_OK(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = i;
  add_to_all<<<2, 128>>>(n, values, 100);
  EXPECT_OK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += values[i] != i + 100;
  EXPECT(wrong == 0);
  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, values));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT_OK(cudaFree(values));
}

int main() {
  plain();
  rows();
  boxes();
  pinned();
  managed();
  return failures != 0;
}
