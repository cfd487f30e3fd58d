// CHECK: our own mistakes. Stops the process in every build, with the place and the reason. Never for input from outside.
#pragma once

namespace castor::detail {
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* why);
}  // namespace castor::detail

#define CHECK(condition, why)                          \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::castor::detail::check_failed(__FILE__, __LINE__, #condition, why))
