// Chapter "Error Handling".
#include <utility>

#include "runtime/cudart/call.h"

namespace castor::cudart::api {
namespace {

/// An error that ended the context stays, however often it is asked for.
cudaError_t pending_error() {
  const cudaError_t own = this_thread().last_error;
  return own != cudaSuccess ? own : sticky_error();
}

}  // namespace

cudaError_t cudaPeekAtLastError() { return pending_error(); }

cudaError_t cudaGetLastError() {
  const cudaError_t error = pending_error();
  this_thread().last_error = cudaSuccess;
  return error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CUDA_ERROR(name, value, text) \
  case name: return #name;
#include "castor/api/errors.inc"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define CUDA_ERROR(name, value, text) \
  case name: return text;
#include "castor/api/errors.inc"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

}  // namespace castor::cudart::api
