// Chapter: stream management, and host functions of execution control.
#include <algorithm>

#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

CUresult find(CUstream handle, Context*& context, Stream*& stream) {
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  stream = context->stream(default_stream(handle));
  return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

/// Calls `function` on the driver's thread when the stream gets there; the stream goes on when it has returned.
CUresult add_host_function(Context& context, Stream& stream, std::function<void(bool stopped)> function) {
  const std::scoped_lock lock(context.mutex());
  auto done = context.take_timeline();
  if (!done) return context.result(done.status());
  if (Status status = submit(stream, make_packet(CASTOR_PACKET_NOP, CASTOR_PACKET_INTERRUPT)); !status) {
    return context.result(status);
  }
  const std::uint64_t turn = stream.submitted;
  const std::uint64_t done_value = (*done)->reached() + 1;
  if (Status status = submit_wait(stream, **done, done_value); !status) return context.result(status);
  auto ring = [queue = stream.queue.get()] { queue->ring(); };
  context.host_functions().add({stream.timeline, turn, *done, done_value, std::move(ring), std::move(function)});
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamCreateWithPriority(CUstream* out, unsigned int flags, int priority) {
  if (out == nullptr || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  auto stream = context->create_stream(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
  if (!stream) return context->result(stream.status());
  *out = *stream;
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* out, unsigned int flags) { return driver::cuStreamCreateWithPriority(out, flags, 0); }

CUresult cuStreamDestroy_v2(CUstream handle) {
  Context* context = nullptr;
  Stream* stream = nullptr;
  if (const CUresult result = find(handle, context, stream); result != CUDA_SUCCESS) return result;
  if (stream->kind != Stream::Kind::created) return CUDA_ERROR_INVALID_HANDLE;
  context->destroy_stream(*stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream handle) {
  Context* context = nullptr;
  Stream* stream = nullptr;
  if (const CUresult result = find(handle, context, stream); result != CUDA_SUCCESS) return result;
  const std::scoped_lock lock(context->mutex());
  return stream->timeline == nullptr || stream->timeline->reached(stream->submitted) ? CUDA_SUCCESS
                                                                                     : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamSynchronize(CUstream handle) {
  Context* context = nullptr;
  Stream* stream = nullptr;
  if (const CUresult result = find(handle, context, stream); result != CUDA_SUCCESS) return result;
  return context->synchronize(*stream);
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* data, unsigned int flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  if (const CUresult result = find(handle, context, stream); result != CUDA_SUCCESS) return result;
  return add_host_function(*context, *stream, [context, handle, callback, data](bool stopped) {
    const CUresult error = stopped ? context->error() : CUDA_SUCCESS;
    callback(handle, stopped && error == CUDA_SUCCESS ? CUDA_ERROR_CONTEXT_IS_DESTROYED : error, data);
  });
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void* data) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  if (const CUresult result = find(handle, context, stream); result != CUDA_SUCCESS) return result;
  return add_host_function(*context, *stream, [function, data](bool stopped) {
    if (!stopped) function(data);
  });
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *out = context;
  return result;
}

CUresult cuStreamGetDevice(CUstream handle, CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *device = 0;
  return result;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *flags = stream->blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
  return result;
}

CUresult cuStreamGetId(CUstream handle, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *id = stream->id;
  return result;
}

CUresult cuStreamGetPriority(CUstream handle, int* priority) {
  if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *priority = stream->priority;
  return result;
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  Stream* stream = nullptr;
  const CUresult result = find(handle, context, stream);
  if (result == CUDA_SUCCESS) *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return result;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  thread_local CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
  if (mode == nullptr || *mode < CU_STREAM_CAPTURE_MODE_GLOBAL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::swap(*mode, current);
  return CUDA_SUCCESS;
}

}  // namespace castor::driver
