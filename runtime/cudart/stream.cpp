// Chapter "Stream Management".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart::api {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  if (!pStream || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamCreate(pStream, flags));
}

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return api::cudaStreamCreateWithFlags(pStream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
  if (!pStream || (flags & ~static_cast<unsigned>(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamCreateWithPriority(pStream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamDestroy(stream));
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int* priority) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamGetPriority(driver_stream(hStream), priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int* flags) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamGetFlags(driver_stream(hStream), flags));
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long* streamId) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamGetId(driver_stream(hStream), streamId));
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int* device) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamGetDevice(driver_stream(hStream), device));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamWaitEvent(driver_stream(stream), event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData,
                                  unsigned int flags) {
  if (!callback || flags != 0) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  // The two callback types differ in the name of the error's type alone.
  return to_runtime(
      cuStreamAddCallback(driver_stream(stream), reinterpret_cast<CUstreamCallback>(callback), userData, flags));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamSynchronize(driver_stream(stream)));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  CUDART_CHECK(ensure_context());
  return to_runtime(cuStreamQuery(driver_stream(stream)));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length, unsigned int flags) {
  CUDART_CHECK(ensure_context());
  return to_runtime(
      cuStreamAttachMemAsync(driver_stream(stream), reinterpret_cast<CUdeviceptr>(devPtr), length, flags));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus) {
  if (!pCaptureStatus) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(
      cuStreamIsCapturing(driver_stream(stream), reinterpret_cast<CUstreamCaptureStatus*>(pCaptureStatus)));
}

// No stream captures while graphs are a gap, so that only the status is ever written.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* captureStatus_out,
                                     unsigned long long*, cudaGraph_t*, const cudaGraphNode_t**,
                                     const cudaGraphEdgeData**, size_t*) {
  return api::cudaStreamIsCapturing(stream, captureStatus_out);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  return to_runtime(cuThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode*>(mode)));
}

}  // namespace castor::cudart::api
