// What every benchmark program shares: time one thing on the GPU and on the host, compare, and print both times.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Wall time of `work` in seconds.
template <typename Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Wall time of the kernels that `launch` starts, to their end.
template <typename Launch>
double gpu_seconds(Launch launch) {
  return seconds([&] {
    launch();
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");
  });
}

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  check(cudaMalloc(&device, host.size() * sizeof(T)), "cudaMalloc");
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  return device;
}

template <typename T>
std::vector<T> to_host(const T* device, std::size_t count) {
  std::vector<T> host(count);
  check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "copy to the host");
  return host;
}

/// The last line of every program; bench.py reads it. Exit code of main.
inline int report(bool right, double gpu, double native) {
  if (!right) {
    std::fprintf(stderr, "wrong result\n");
    return 1;
  }
  std::printf("gpu_seconds %.9f native_seconds %.9f\n", gpu, native);
  return 0;
}
