// Chapter "Event Management".
#include "runtime/cudart/call.h"
#include "runtime/cudart/context.h"

namespace castor::cudart::api {
namespace {
constexpr unsigned kEventFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (!event || (flags & ~kEventFlags)) return cudaErrorInvalidValue;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventCreate(event, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return api::cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (!event) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventRecordWithFlags(event, driver_stream(stream), flags));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!event) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventRecord(event, driver_stream(stream)));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventSynchronize(event));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventDestroy(event));
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  if (!ms) return cudaErrorInvalidValue;
  if (!start || !end) return cudaErrorInvalidResourceHandle;
  CUDART_CHECK(ensure_context());
  return to_runtime(cuEventElapsedTime(ms, start, end));
}

}  // namespace castor::cudart::api
