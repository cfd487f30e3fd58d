// cudaGetDeviceProperties: the driver's attributes, gathered.
#include <cstring>

#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart {
namespace {

/// Writes the attribute to a field of whatever integral type it has.
template <class Field>
CUresult read(Field& field, CUdevice_attribute attribute, CUdevice device) {
  int value = 0;
  const CUresult result = cuDeviceGetAttribute(&value, attribute, device);
  field = static_cast<Field>(value);
  return result;
}

cudaError_t read_identity(cudaDeviceProp& p, CUdevice device) {
  CUDART_TRY(cuDeviceGetName(p.name, sizeof p.name, device));
  CUuuid uuid;
  CUDART_TRY(cuDeviceGetUuid(&uuid, device));
  std::memcpy(p.uuid.bytes, uuid.bytes, sizeof p.uuid.bytes);
  CUDART_TRY(cuDeviceTotalMem(&p.totalGlobalMem, device));
  return cudaSuccess;
}

cudaError_t read_attributes(cudaDeviceProp& p, CUdevice device) {
#define PROPERTY(field, attribute) CUDART_TRY(read(p.field, CU_DEVICE_ATTRIBUTE_##attribute, device));
#include "runtime/cudart/properties.inc"
#undef PROPERTY
  return cudaSuccess;
}

}  // namespace

cudaError_t read_properties(cudaDeviceProp* prop, int device) {
  if (!prop) return cudaErrorInvalidValue;
  CUDART_CHECK(check_device(device));
  std::memset(static_cast<void*>(prop), 0, sizeof *prop);
  CUDART_CHECK(read_identity(*prop, device));
  return read_attributes(*prop, device);
}

namespace api {
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) { return read_properties(prop, device); }
}  // namespace api

}  // namespace castor::cudart
