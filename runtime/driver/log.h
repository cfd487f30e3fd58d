// The driver's words on stderr, chosen by CASTOR_LOG (error, warn, info, debug, trace; default error). Never on stdout.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "platform/core/status.h"
#include "runtime/driver/api.h"

namespace castor::driver {

enum class LogLevel { error, warn, info, debug, trace };

bool logs(LogLevel level);
void say(LogLevel level, std::string_view text);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (logs(level)) say(level, fmt::format(format, std::forward<Args>(args)...));
}

/// The result that tells a CUDA program what went wrong; the sentence goes to the log.
CUresult result_of(const Status& status);

}  // namespace castor::driver
