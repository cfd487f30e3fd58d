// Chapter: memory management (copies and fills).
#include "runtime/driver/process.h"
#include "runtime/driver/transfer.h"

namespace castor::driver {
namespace {

enum class Side { any, device };

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// A parameter that has to be a device pointer may be anything the device reaches.
bool fits(Context& context, std::uint64_t address, Side side) {
  return side == Side::any || context.memory().find(address).has_value();
}

CUresult linear(std::uint64_t to, Side to_side, std::uint64_t from, Side from_side, std::size_t bytes, CUstream handle,
                Mode mode) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Stream* stream = context->stream(default_stream(handle));
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (bytes == 0) return CUDA_SUCCESS;
  if (!fits(*context, to, to_side) || !fits(*context, from, from_side)) return CUDA_ERROR_INVALID_VALUE;
  return copy(*context, *stream, {to, bytes, 0}, {from, bytes, 0}, {bytes}, mode);
}

/// Where one end of a 2D or 3D copy lies; arrays are not built yet.
CUresult place_of(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x, std::size_t y, std::size_t z,
                  std::size_t pitch, std::size_t height, std::size_t width, std::size_t rows, Place& out) {
  std::uint64_t base = 0;
  switch (type) {
    case CU_MEMORYTYPE_HOST: base = address_of(host); break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: base = device; break;
    case CU_MEMORYTYPE_ARRAY: return CUDA_ERROR_NOT_SUPPORTED;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  if (pitch == 0) pitch = x + width;
  if (height == 0) height = y + rows;
  if (x + width > pitch) return CUDA_ERROR_INVALID_VALUE;
  out = {base + z * pitch * height + y * pitch + x, pitch, pitch * height};
  return base == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult box(const Place& to, const Place& from, const Shape& shape, CUstream handle, Mode mode) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Stream* stream = context->stream(default_stream(handle));
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return copy(*context, *stream, to, from, shape, mode);
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, CUstream stream, Mode mode) {
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (c->WidthInBytes == 0 || c->Height == 0) return CUDA_SUCCESS;
  Place to, from;
  CUresult result = place_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0,
                             c->WidthInBytes, c->Height, to);
  if (result != CUDA_SUCCESS) return result;
  result = place_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0,
                    c->WidthInBytes, c->Height, from);
  return result != CUDA_SUCCESS ? result : box(to, from, {c->WidthInBytes, c->Height, 1}, stream, mode);
}

CUresult copy_3d(const CUDA_MEMCPY3D* c, CUstream stream, Mode mode) {
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (c->WidthInBytes == 0 || c->Height == 0 || c->Depth == 0) return CUDA_SUCCESS;
  if (c->srcLOD != 0 || c->dstLOD != 0) return CUDA_ERROR_INVALID_VALUE;
  Place to, from;
  CUresult result = place_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY, c->dstZ, c->dstPitch,
                             c->dstHeight, c->WidthInBytes, c->Height, to);
  if (result != CUDA_SUCCESS) return result;
  result = place_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY, c->srcZ, c->srcPitch,
                    c->srcHeight, c->WidthInBytes, c->Height, from);
  return result != CUDA_SUCCESS ? result : box(to, from, {c->WidthInBytes, c->Height, c->Depth}, stream, mode);
}

CUresult set(CUdeviceptr to, std::size_t pitch, std::uint32_t value, std::uint32_t element, std::size_t width,
             std::size_t height, CUstream handle, Mode mode) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  Stream* stream = context->stream(default_stream(handle));
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (width > ~std::size_t{0} / element) return CUDA_ERROR_INVALID_VALUE;
  return fill(*context, *stream, {to, pitch, 0}, value, element, {width * element, height, 1}, mode);
}

constexpr Mode kNow = Mode::synchronous, kLater = Mode::asynchronous;

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return linear(to, Side::any, from, Side::any, bytes, nullptr, kNow);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return linear(to, Side::any, from, Side::any, bytes, stream, kLater);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  return linear(to, Side::device, address_of(from), Side::any, bytes, nullptr, kNow);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  return linear(address_of(to), Side::any, from, Side::device, bytes, nullptr, kNow);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return linear(to, Side::device, from, Side::device, bytes, nullptr, kNow);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return linear(to, Side::device, address_of(from), Side::any, bytes, stream, kLater);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return linear(address_of(to), Side::any, from, Side::device, bytes, stream, kLater);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return linear(to, Side::device, from, Side::device, bytes, stream, kLater);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           std::size_t bytes, CUstream stream) {
  if (context_of(to_context) == nullptr || context_of(from_context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (to_context != from_context) {
    log(LogLevel::warn, "{}", not_built("a copy between two contexts").message());
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return linear(to, Side::device, from, Side::device, bytes, stream, kLater);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      std::size_t bytes) {
  return driver::cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, nullptr);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* c) { return copy_2d(c, nullptr, kNow); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* c, CUstream stream) { return copy_2d(c, stream, kLater); }
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* c) { return copy_3d(c, nullptr, kNow); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* c, CUstream stream) { return copy_3d(c, stream, kLater); }

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t n) {
  return set(to, 0, value, 1, n, 1, nullptr, kNow);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t n) {
  return set(to, 0, value, 2, n, 1, nullptr, kNow);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned int value, std::size_t n) {
  return set(to, 0, value, 4, n, 1, nullptr, kNow);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height) {
  return set(to, pitch, value, 1, width, height, nullptr, kNow);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                          std::size_t height) {
  return set(to, pitch, value, 2, width, height, nullptr, kNow);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, std::size_t pitch, unsigned int value, std::size_t width,
                          std::size_t height) {
  return set(to, pitch, value, 4, width, height, nullptr, kNow);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t n, CUstream stream) {
  return set(to, 0, value, 1, n, 1, stream, kLater);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t n, CUstream stream) {
  return set(to, 0, value, 2, n, 1, stream, kLater);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, std::size_t n, CUstream stream) {
  return set(to, 0, value, 4, n, 1, stream, kLater);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
  return set(to, pitch, value, 1, width, height, stream, kLater);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return set(to, pitch, value, 2, width, height, stream, kLater);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch, unsigned int value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return set(to, pitch, value, 4, width, height, stream, kLater);
}

}  // namespace castor::driver
