// Sizes, alignments and offsets that compiled programs rely on: the public ABI of CUDA 13 on 64-bit Linux, as bindings of
// other languages record it and as the Programming Guide's table of vector types says.
#include <cmath>
#include <cstddef>

#include "runtime/include/cuComplex.h"
#include "runtime/include/cuda.h"
#include "runtime/include/cuda_runtime.h"
#include "tests/support/catch.h"

namespace {

#define LAYOUT(type, size, alignment) static_assert(sizeof(type) == (size) && alignof(type) == (alignment), #type)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(uchar4, 4, 4);
LAYOUT(short2, 4, 4);
LAYOUT(ushort3, 6, 2);
LAYOUT(short4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(uint3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(long2, 16, 16);
LAYOUT(ulong3, 24, 8);
LAYOUT(longlong1, 8, 8);
LAYOUT(longlong2, 16, 16);
LAYOUT(ulonglong4, 32, 16);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(double4_16a, 32, 16);
LAYOUT(double4_32a, 32, 32);
LAYOUT(dim3, 12, 4);
LAYOUT(cuFloatComplex, 8, 8);
LAYOUT(cuDoubleComplex, 16, 16);
LAYOUT(cudaUUID_t, 16, 1);
LAYOUT(cudaDeviceProp, 1008, 8);
LAYOUT(cudaFuncAttributes, 144, 8);
LAYOUT(cudaPointerAttributes, 88, 8);
LAYOUT(cudaChannelFormatDesc, 20, 4);
LAYOUT(cudaExtent, 24, 8);
LAYOUT(cudaPitchedPtr, 32, 8);
LAYOUT(cudaMemcpy3DParms, 160, 8);
LAYOUT(cudaMemcpy3DPeerParms, 168, 8);
LAYOUT(cudaMemsetParams, 40, 8);
LAYOUT(cudaMemLocation, 8, 4);
LAYOUT(cudaMemPoolProps, 88, 8);
LAYOUT(cudaAccessPolicyWindow, 32, 8);
LAYOUT(cudaLaunchAttributeValue, 64, 8);
LAYOUT(cudaLaunchAttribute, 72, 8);
LAYOUT(cudaLaunchConfig_t, 56, 8);
LAYOUT(cudaTextureDesc, 72, 4);
LAYOUT(cudaResourceDesc, 144, 8);
LAYOUT(cudaResourceViewDesc, 112, 8);
LAYOUT(cudaIpcMemHandle_t, 64, 1);
LAYOUT(cudaIpcEventHandle_t, 64, 1);
LAYOUT(cudaExternalMemoryHandleDesc, 104, 8);
LAYOUT(cudaExternalSemaphoreSignalParams, 144, 8);
LAYOUT(cudaExternalSemaphoreWaitParams, 144, 8);
LAYOUT(cudaKernelNodeParams, 56, 8);
LAYOUT(cudaKernelNodeParamsV2, 56, 8);
LAYOUT(cudaMemAllocNodeParams, 120, 8);
LAYOUT(cudaMemcpyNodeParams, 176, 8);
LAYOUT(cudaGraphNodeParams, 256, 8);
LAYOUT(cudaGraphEdgeData, 8, 1);
#undef LAYOUT

#define AT(field, offset) static_assert(offsetof(cudaDeviceProp, field) == (offset), #field)
AT(uuid, 256);
AT(luid, 272);
AT(luidDeviceNodeMask, 280);
AT(totalGlobalMem, 288);
AT(sharedMemPerBlock, 296);
AT(regsPerBlock, 304);
AT(warpSize, 308);
AT(memPitch, 312);
AT(maxThreadsPerBlock, 320);
AT(maxThreadsDim, 324);
AT(maxGridSize, 336);
AT(totalConstMem, 352);
AT(major, 360);
AT(minor, 364);
AT(multiProcessorCount, 384);
#undef AT

// The two interfaces share numbers, and cudart passes them through as they are.
static_assert(int(cudaErrorInvalidValue) == int(CUDA_ERROR_INVALID_VALUE));
static_assert(int(cudaErrorIllegalAddress) == int(CUDA_ERROR_ILLEGAL_ADDRESS));
static_assert(int(cudaErrorNotSupported) == int(CUDA_ERROR_NOT_SUPPORTED));
static_assert(int(cudaErrorSymbolNotFound) == int(CUDA_ERROR_NOT_FOUND));
static_assert(int(cudaDevAttrMaxBlocksPerMultiprocessor) == int(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
static_assert(int(cudaFuncAttributeMaxDynamicSharedMemorySize) == int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));

TEST_CASE("vector types can be made and taken apart") {
  const float4 v = make_float4(1, 2, 3, 4);
  CHECK(v.x + v.y + v.z + v.w == 10);
  const dim3 from_one(5);
  CHECK((from_one.x == 5 && from_one.y == 1 && from_one.z == 1));
  const uint3 back = dim3(2, 3, 4);
  CHECK(back.z == 4);
}

TEST_CASE("channel descriptors say the bits of each component") {
  const cudaChannelFormatDesc d = cudaCreateChannelDesc<float4>();
  CHECK((d.x == 32 && d.w == 32 && d.f == cudaChannelFormatKindFloat));
  const cudaChannelFormatDesc u = cudaCreateChannelDesc<unsigned char>();
  CHECK((u.x == 8 && u.y == 0 && u.f == cudaChannelFormatKindUnsigned));
}

TEST_CASE("complex numbers divide without overflow") {
  const cuDoubleComplex q = cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300, 0));
  CHECK((std::fabs(q.x - 1.0) < 1e-12 && std::fabs(q.y - 1.0) < 1e-12));
  CHECK(std::fabs(cuCabs(make_cuDoubleComplex(3e300, 4e300)) / 5e300 - 1.0) < 1e-12);
  CHECK(cuCabsf(make_cuFloatComplex(0, 0)) == 0);
}

}  // namespace
