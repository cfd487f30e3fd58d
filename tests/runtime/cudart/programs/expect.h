// States a rule in a program that ctest runs: prints the rule that does not hold, and makes main answer 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

inline int failures = 0;

inline void expect_true(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("line %d: %s does not hold\n", line, what);
  ++failures;
}

inline void expect_code(cudaError_t got, cudaError_t wanted, const char* what, int line) {
  if (got == wanted) return;
  std::printf("line %d: %s answers %s, wanted %s\n", line, what, cudaGetErrorName(got), cudaGetErrorName(wanted));
  ++failures;
}

#define EXPECT(condition) expect_true((condition), #condition, __LINE__)
#define EXPECT_CODE(wanted, call) expect_code((call), (wanted), #call, __LINE__)
#define EXPECT_OK(call) EXPECT_CODE(cudaSuccess, call)
