#include "platform/core/status.h"

#include <fmt/format.h>

namespace castor {

std::string_view name(StatusCode code) {
  switch (code) {
    case StatusCode::ok: return "ok";
    case StatusCode::invalid_value: return "invalid value";
    case StatusCode::not_found: return "not found";
    case StatusCode::out_of_memory: return "out of memory";
    case StatusCode::busy: return "busy";
    case StatusCode::not_supported: return "not supported";
    case StatusCode::io_error: return "I/O error";
    case StatusCode::device_lost: return "device lost";
    case StatusCode::timeout: return "timed out";
  }
  return "unknown status";
}

Status not_built(std::string_view what) {
  return {StatusCode::not_supported, fmt::format("{} is not supported yet", what)};
}

}  // namespace castor
