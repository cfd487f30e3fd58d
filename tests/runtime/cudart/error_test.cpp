// What needs no machine: names and texts of errors, and the rules of the last error where no device is involved.
#include <cstring>
#include <string>
#include <thread>

#include "runtime/include/cuda_runtime.h"
#include "tests/support/catch.h"

extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, CUstream_st*);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);

namespace {

TEST_CASE("errors have names and texts") {
  CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) == "an illegal memory access was encountered");
  CHECK(std::string(cudaGetErrorString(static_cast<cudaError_t>(12345))) == "unrecognized error code");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(-1))) == "unrecognized error code");
}

TEST_CASE("a failing call sets the last error, asking clears it, peeking does not") {
  cudaGetLastError();
  CHECK(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);  // a success does not clear it
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the last error belongs to the thread") {
  cudaGetLastError();
  CHECK(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaPeekAtLastError(); }).join();
  CHECK(other == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("a gap answers that it is not supported") {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE("call configurations nest and run out") {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  CHECK(__cudaPushCallConfiguration(dim3(1, 2, 3), dim3(4, 5, 6), 7, cudaStreamPerThread) == 0);
  CHECK(__cudaPushCallConfiguration(dim3(9), dim3(8), 0, nullptr) == 0);
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  CHECK((grid.x == 9 && block.x == 8 && shared == 0 && stream == nullptr));
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
  CHECK((grid.y == 2 && grid.z == 3 && block.x == 4 && shared == 7 && stream == cudaStreamPerThread));
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaErrorMissingConfiguration);
  cudaGetLastError();
}

TEST_CASE("bad arguments are refused before a device is asked for") {
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 16) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithFlags(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  char a = 0, b = 0;
  CHECK(cudaMemcpy(&a, &b, 1, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2D(&a, 1, &b, 1, 2, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  cudaGetLastError();
}

TEST_CASE("channel descriptors need no device") {
  const cudaChannelFormatDesc d = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  CHECK((d.x == 8 && d.w == 8 && d.f == cudaChannelFormatKindUnsigned));
}

}  // namespace
