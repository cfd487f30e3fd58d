// Chapter "Memory Management": cudaMemset and its kin.
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"
#include "runtime/cudart/copy.h"

namespace castor::cudart {
namespace {

/// A blocking fill of device memory returns before it is done, as CUDA's does: the stream keeps the order.
cudaError_t fill_rows(void* target, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  if (width == 0 || height == 0) return ensure_context();
  if (!target) return cudaErrorInvalidValue;
  if (height > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  CUDART_CHECK(ensure_context());
  const auto byte = static_cast<unsigned char>(value);
  if (height == 1) return to_runtime(cuMemsetD8Async(device_view(target), byte, width, driver_stream(stream)));
  return to_runtime(cuMemsetD2D8Async(device_view(target), pitch, byte, width, height, driver_stream(stream)));
}

cudaError_t fill_box(cudaPitchedPtr box, int value, cudaExtent extent, cudaStream_t stream) {
  if (extent.height > box.ysize) return cudaErrorInvalidValue;
  if (extent.height == box.ysize)  // slices follow each other without a gap
    return fill_rows(box.ptr, box.pitch, value, extent.width, extent.height * extent.depth, stream);
  auto* slice = static_cast<unsigned char*>(box.ptr);
  for (size_t z = 0; z < extent.depth; ++z, slice += box.pitch * box.ysize)
    CUDART_CHECK(fill_rows(slice, box.pitch, value, extent.width, extent.height, stream));
  return cudaSuccess;
}

}  // namespace

namespace api {

cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  return fill_rows(devPtr, count, value, count, 1, nullptr);
}
cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
  return fill_rows(devPtr, count, value, count, 1, stream);
}
cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return fill_rows(devPtr, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill_rows(devPtr, pitch, value, width, height, stream);
}
cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  return fill_box(pitchedDevPtr, value, extent, nullptr);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_box(pitchedDevPtr, value, extent, stream);
}

}  // namespace api
}  // namespace castor::cudart
