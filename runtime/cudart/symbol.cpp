// Chapter "Memory Management": __device__ and __constant__ variables by the address of their host shadow.
#include "runtime/cudart/call.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/registry.h"

namespace castor::cudart {
namespace {

cudaError_t locate(const void* symbol, size_t count, size_t offset, void** address) {
  Variable variable;
  CUDART_CHECK(find_variable(&variable, symbol));
  size_t end = 0;
  if (__builtin_add_overflow(offset, count, &end) || end > variable.bytes) return cudaErrorInvalidValue;
  *address = host_view(variable.address + offset);
  return cudaSuccess;
}

cudaError_t copy_to(const void* symbol, const void* source, size_t count, size_t offset, cudaMemcpyKind kind,
                    cudaStream_t stream, Wait wait) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void* address = nullptr;
  CUDART_CHECK(locate(symbol, count, offset, &address));
  return copy(address, source, count, kind, stream, wait);
}

cudaError_t copy_from(void* target, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                      cudaStream_t stream, Wait wait) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void* address = nullptr;
  CUDART_CHECK(locate(symbol, count, offset, &address));
  return copy(target, address, count, kind, stream, wait);
}

}  // namespace

namespace api {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_to(symbol, src, count, offset, kind, nullptr, Wait::until_done);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to(symbol, src, count, offset, kind, stream, Wait::no);
}
cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_from(dst, symbol, count, offset, kind, nullptr, Wait::until_done);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_from(dst, symbol, count, offset, kind, stream, Wait::no);
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  if (!devPtr) return cudaErrorInvalidValue;
  Variable variable;
  CUDART_CHECK(find_variable(&variable, symbol));
  *devPtr = host_view(variable.address);
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  if (!size) return cudaErrorInvalidValue;
  Variable variable;
  CUDART_CHECK(find_variable(&variable, symbol));
  *size = variable.bytes;
  return cudaSuccess;
}

}  // namespace api
}  // namespace castor::cudart
