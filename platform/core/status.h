// Status: what our caller did, or what the world outside refused. Returned, never thrown across an area.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace castor {

enum class StatusCode {
  ok,
  invalid_value,  // the caller's argument is wrong
  not_found,      // the thing named is not there
  out_of_memory,  // no room left (device, host or address space)
  busy,           // cannot be done while something else is going on
  not_supported,  // a real feature that is not there yet
  io_error,       // a file, socket or process outside failed
  device_lost,    // the machine is gone or the context has faulted
  timeout,        // the other side did not answer in time
};

std::string_view name(StatusCode code);

/// A code and one sentence that names the thing at fault and what to do. Empty message when ok.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::ok; }
  explicit operator bool() const { return ok(); }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

/// A feature of the design that is not there yet: named, so that it can be counted and shown.
Status not_built(std::string_view what);

}  // namespace castor
