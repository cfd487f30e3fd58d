#include "runtime/driver/log.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace castor::driver {
namespace {

/// The names that the command `castor` takes, too.
struct Name {
  std::string_view text;
  int limit;  // highest LogLevel that is shown; -1: none
};
constexpr std::array<Name, 8> kNames{{{"off", -1},
                                      {"critical", -1},
                                      {"error", static_cast<int>(LogLevel::error)},
                                      {"warning", static_cast<int>(LogLevel::warn)},
                                      {"warn", static_cast<int>(LogLevel::warn)},
                                      {"info", static_cast<int>(LogLevel::info)},
                                      {"debug", static_cast<int>(LogLevel::debug)},
                                      {"trace", static_cast<int>(LogLevel::trace)}}};

int configured() {
  const char* text = std::getenv("CASTOR_LOG");
  for (const Name& name : kNames) {
    if (text != nullptr && name.text == text) return name.limit;
  }
  return static_cast<int>(LogLevel::error);
}

}  // namespace

bool logs(LogLevel level) {
  static const int limit = configured();
  return static_cast<int>(level) <= limit;
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
