// What the device says of itself agrees with itself, and bad questions are refused.
#include <cstring>

#include "expect.h"

__global__ void nothing() {}

int main() {
  int count = 0, device = -1;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(count));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(-1));

  cudaDeviceProp p;
  EXPECT_OK(cudaGetDeviceProperties(&p, 0));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, count));
  EXPECT(p.major == 12 && p.minor == 0);
  EXPECT(std::strncmp(p.name, "Castor", 6) == 0);
  EXPECT(p.warpSize == 32);
  EXPECT(p.maxThreadsPerBlock == 1024);
  EXPECT(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[2] == 64);
  EXPECT(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535);
  EXPECT(p.multiProcessorCount >= 1);
  EXPECT(p.unifiedAddressing == 1);
  EXPECT(p.totalGlobalMem > 0);

  const struct {
    cudaDeviceAttr attribute;
    long long value;
  } same[] = {{cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
              {cudaDevAttrComputeCapabilityMajor, p.major},
              {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
              {cudaDevAttrClockRate, p.clockRate},
              {cudaDevAttrL2CacheSize, p.l2CacheSize},
              {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor}};
  for (const auto& one : same) {
    int value = -1;
    EXPECT_OK(cudaDeviceGetAttribute(&value, one.attribute, 0));
    EXPECT(value == one.value);
  }
  int value = 0;
  EXPECT_CODE(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));

  size_t free = 0, total = 0;
  EXPECT_OK(cudaMemGetInfo(&free, &total));
  EXPECT(free > 0 && free <= total && total <= p.totalGlobalMem);

  int driver = 0, runtime = 0;
  EXPECT_OK(cudaDriverGetVersion(&driver));
  EXPECT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime == CUDART_VERSION);

  char id[32] = "";
  int found = -1;
  EXPECT_OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  EXPECT_OK(cudaDeviceGetByPCIBusId(&found, id));
  EXPECT(found == 0);

  int least = 1, greatest = 1;
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);

  size_t stack = 0;
  EXPECT_OK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  EXPECT(stack >= 1024);

  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, nothing));
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.sharedSizeBytes == 0);
  int blocks = 0, block = 0, grid = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
  EXPECT(blocks >= 1 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing));
  EXPECT(block > 0 && block % 32 == 0 && grid % p.multiProcessorCount == 0);

  int can = 1;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  return failures != 0;
}
