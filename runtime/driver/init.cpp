// Chapters: initialization, version management, error handling, profiler control.
#include "runtime/driver/process.h"

namespace castor::driver {
namespace {

struct ResultRow {
  CUresult value;
  const char* name;
  const char* text;
};
constexpr ResultRow kResults[] = {
#define RESULT(name, value, text) {static_cast<CUresult>(value), #name, text},
#include "runtime/include/castor/api/driver_results.inc"
#undef RESULT
};

const ResultRow* find(CUresult value) {
  for (const ResultRow& row : kResults) {
    if (row.value == value) return &row;
  }
  return nullptr;
}

}  // namespace

CUresult cuInit(unsigned int flags) { return flags != 0 ? CUDA_ERROR_INVALID_VALUE : Process::get().init(); }

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = kDriverVersion;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ResultRow* row = find(error);
  *text = row == nullptr ? nullptr : row->text;
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ResultRow* row = find(error);
  *text = row == nullptr ? nullptr : row->name;
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }

}  // namespace castor::driver
