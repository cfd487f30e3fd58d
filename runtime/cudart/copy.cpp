// Chapter "Memory Management": copies.
#include "runtime/cudart/copy.h"

#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart {
namespace {

bool valid(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }
bool from_host(cudaMemcpyKind kind) { return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice; }
bool to_host(cudaMemcpyKind kind) { return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost; }

/// Memory that the host cannot touch: taking it for host memory would be a fault in the caller's process.
bool device_only(const void* pointer) {
  unsigned type = 0, managed = 0;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void* answers[] = {&type, &managed};
  if (cuPointerGetAttributes(2, wanted, answers, device_view(pointer)) != CUDA_SUCCESS) return false;
  return type == CU_MEMORYTYPE_DEVICE && !managed;
}

cudaError_t check_sides(const void* target, const void* source, cudaMemcpyKind kind) {
  if (!valid(kind)) return cudaErrorInvalidMemcpyDirection;
  if (!target || !source) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  if (from_host(kind) && device_only(source)) return cudaErrorInvalidValue;
  if (to_host(kind) && device_only(target)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

CUresult blocking(void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice: return cuMemcpyHtoD(device_view(target), source, bytes);
    case cudaMemcpyDeviceToHost: return cuMemcpyDtoH(target, device_view(source), bytes);
    case cudaMemcpyDeviceToDevice: return cuMemcpyDtoD(device_view(target), device_view(source), bytes);
    default: return cuMemcpy(device_view(target), device_view(source), bytes);
  }
}

CUresult queued(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, CUstream stream) {
  switch (kind) {
    case cudaMemcpyHostToDevice: return cuMemcpyHtoDAsync(device_view(target), source, bytes, stream);
    case cudaMemcpyDeviceToHost: return cuMemcpyDtoHAsync(target, device_view(source), bytes, stream);
    case cudaMemcpyDeviceToDevice: return cuMemcpyDtoDAsync(device_view(target), device_view(source), bytes, stream);
    default: return cuMemcpyAsync(device_view(target), device_view(source), bytes, stream);
  }
}

struct Rows {
  void* target;
  size_t target_pitch;
  const void* source;
  size_t source_pitch, width, height;
};

/// Where the driver finds one side of a copy in two or three dimensions.
template <class Descriptor>
void set_sides(Descriptor& d, void* target, const void* source, cudaMemcpyKind kind) {
  const bool unified = kind == cudaMemcpyDefault;
  d.srcMemoryType = unified ? CU_MEMORYTYPE_UNIFIED : from_host(kind) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  d.dstMemoryType = unified ? CU_MEMORYTYPE_UNIFIED : to_host(kind) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (from_host(kind)) {
    d.srcHost = source;
  } else {
    d.srcDevice = device_view(source);
  }
  if (to_host(kind)) {
    d.dstHost = target;
  } else {
    d.dstDevice = device_view(target);
  }
}

cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, Wait wait) {
  if (rows.width == 0 || rows.height == 0) return valid(kind) ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
  if (rows.width > rows.target_pitch || rows.width > rows.source_pitch) return cudaErrorInvalidPitchValue;
  CUDART_CHECK(check_sides(rows.target, rows.source, kind));
  CUDA_MEMCPY2D d{};
  set_sides(d, rows.target, rows.source, kind);
  d.srcPitch = rows.source_pitch;
  d.dstPitch = rows.target_pitch;
  d.WidthInBytes = rows.width;
  d.Height = rows.height;
  if (wait == Wait::until_done && !per_thread_default()) return to_runtime(cuMemcpy2D(&d));
  CUDART_TRY(cuMemcpy2DAsync(&d, driver_stream(stream)));
  return wait == Wait::until_done ? to_runtime(cuStreamSynchronize(driver_stream(stream))) : cudaSuccess;
}

cudaError_t copy_box(const cudaMemcpy3DParms* p, cudaStream_t stream, Wait wait) {
  if (!p) return cudaErrorInvalidValue;
  if (p->srcArray || p->dstArray) return not_supported("cudaMemcpy3D with arrays", "arrays");
  if (p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0) return cudaSuccess;
  CUDART_CHECK(check_sides(p->dstPtr.ptr, p->srcPtr.ptr, p->kind));
  CUDA_MEMCPY3D d{};
  set_sides(d, p->dstPtr.ptr, p->srcPtr.ptr, p->kind);
  d.srcXInBytes = p->srcPos.x;
  d.srcY = p->srcPos.y;
  d.srcZ = p->srcPos.z;
  d.srcPitch = p->srcPtr.pitch;
  d.srcHeight = p->srcPtr.ysize;
  d.dstXInBytes = p->dstPos.x;
  d.dstY = p->dstPos.y;
  d.dstZ = p->dstPos.z;
  d.dstPitch = p->dstPtr.pitch;
  d.dstHeight = p->dstPtr.ysize;
  d.WidthInBytes = p->extent.width;
  d.Height = p->extent.height;
  d.Depth = p->extent.depth;
  if (wait == Wait::until_done && !per_thread_default()) return to_runtime(cuMemcpy3D(&d));
  CUDART_TRY(cuMemcpy3DAsync(&d, driver_stream(stream)));
  return wait == Wait::until_done ? to_runtime(cuStreamSynchronize(driver_stream(stream))) : cudaSuccess;
}

}  // namespace

bool per_thread_default() { return this_thread().default_stream != nullptr; }

cudaError_t copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, Wait wait) {
  if (!valid(kind)) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return ensure_context();
  CUDART_CHECK(check_sides(target, source, kind));
  if (wait == Wait::until_done && !per_thread_default()) return to_runtime(blocking(target, source, bytes, kind));
  CUDART_TRY(queued(target, source, bytes, kind, driver_stream(stream)));
  return wait == Wait::until_done ? to_runtime(cuStreamSynchronize(driver_stream(stream))) : cudaSuccess;
}

namespace api {

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return copy(dst, src, count, kind, nullptr, Wait::until_done);
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(dst, src, count, kind, stream, Wait::no);
}

cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows({dst, dpitch, src, spitch, width, height}, kind, nullptr, Wait::until_done);
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows({dst, dpitch, src, spitch, width, height}, kind, stream, Wait::no);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_box(p, nullptr, Wait::until_done); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) { return copy_box(p, stream, Wait::no); }

cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  CUDART_CHECK(check_device(dstDevice));
  CUDART_CHECK(check_device(srcDevice));
  return copy(dst, src, count, cudaMemcpyDeviceToDevice, stream, Wait::no);
}

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  CUDART_CHECK(api::cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, count, nullptr));
  return to_runtime(cuStreamSynchronize(nullptr));
}

}  // namespace api
}  // namespace castor::cudart
