// What every sample needs: a CUDA call that fails ends the program, and a verdict at the end.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Wraps every CUDA call: CHECK(cudaMalloc(&p, bytes));
#define CHECK(call)                                                                                  \
  do {                                                                                               \
    const cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(EXIT_FAILURE);                                                                       \
    }                                                                                                \
  } while (false)

// The last line of main: what the program found, as words and as its exit code.
inline int verdict(const char* sample, bool passed) {
  std::printf("%s: %s\n", sample, passed ? "PASS" : "FAIL");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
