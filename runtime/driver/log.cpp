#include "runtime/driver/log.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace castor::driver {
namespace {

constexpr std::array<std::string_view, 5> kNames{"error", "warn", "info", "debug", "trace"};

LogLevel configured() {
  const char* text = std::getenv("CASTOR_LOG");
  for (std::size_t i = 0; text != nullptr && i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<LogLevel>(i);
  }
  return LogLevel::error;
}

}  // namespace

bool logs(LogLevel level) {
  static const LogLevel limit = configured();
  return level <= limit;
}

void say(LogLevel, std::string_view text) {
  // One write: lines of several processes do not mix.
  const std::string line = fmt::format("castor: {}\n", text);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

CUresult result_of(const Status& status) {
  if (!status) log(LogLevel::info, "{}", status.message());
  switch (status.code()) {
    case StatusCode::ok: return CUDA_SUCCESS;
    case StatusCode::invalid_value:
    case StatusCode::not_found: return CUDA_ERROR_INVALID_VALUE;
    case StatusCode::out_of_memory: return CUDA_ERROR_OUT_OF_MEMORY;
    case StatusCode::busy: return CUDA_ERROR_DEVICE_UNAVAILABLE;
    case StatusCode::not_supported: return CUDA_ERROR_NOT_SUPPORTED;
    case StatusCode::io_error: return CUDA_ERROR_OPERATING_SYSTEM;
    case StatusCode::device_lost:
    case StatusCode::timeout: return CUDA_ERROR_DEVICE_UNAVAILABLE;
  }
  return CUDA_ERROR_UNKNOWN;
}

}  // namespace castor::driver
