// Chapter: device management.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

constexpr CUdevice kDevice = 0;
constexpr const char* kBusId = "0000:01:00.0";

bool valid(CUdevice device) { return device == kDevice; }

std::uint32_t at_most(std::uint32_t value, std::uint32_t limit) { return std::min(value, limit); }

bool attribute(CUdevice_attribute which, const castor_discovery_header& d, int& value) {
  switch (static_cast<int>(which)) {
#define ATTRIBUTE(name, number, expression) \
  case number: value = static_cast<int>(expression); return true;
#include "runtime/include/castor/api/driver_attributes.inc"
#undef ATTRIBUTE
    default: return false;
  }
}

int attribute(CUdevice_attribute which) {
  int value = 0;
  attribute(which, Process::get().device(), value);
  return value;
}

}  // namespace

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(length), "%s", Process::get().device().name);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  // A name-based UUID: the serial number in a space of our own, version and variant bits as RFC 9562 wants them.
  const std::uint64_t serial = Process::get().device().serial;
  std::memcpy(uuid->bytes, "Castor\x80\x00", 8);
  std::memcpy(uuid->bytes + 8, &serial, 8);
  uuid->bytes[6] = static_cast<char>(0x80);
  uuid->bytes[8] = static_cast<char>((uuid->bytes[8] & 0x3f) | 0x80);
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto info = Process::get().client().memory_info();
  if (!info) return result_of(info.status());
  *bytes = info->total_bytes;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  return attribute(which, Process::get().device(), *value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  *major = kComputeMajor;
  *minor = kComputeMinor;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop* out, CUdevice device) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  out->maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  for (int i = 0; i < 3; ++i) {
    out->maxThreadsDim[i] = attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
    out->maxGridSize[i] = attribute(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
  }
  out->sharedMemPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  out->totalConstantMemory = attribute(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  out->SIMDWidth = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  out->memPitch = attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  out->regsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  out->clockRate = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  out->textureAlign = attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  if (text == nullptr || length <= static_cast<int>(std::strlen(kBusId))) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(text, static_cast<std::size_t>(length), "%s", kBusId);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  if (device == nullptr || text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
      (domain = 0, std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (domain != 0 || bus != 1 || slot != 0 || function != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = kDevice;
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!valid(device) || !valid(peer)) return CUDA_ERROR_INVALID_DEVICE;
  *can = 0;  // there is one device, and it is no peer of itself
  return CUDA_SUCCESS;
}

}  // namespace castor::driver
