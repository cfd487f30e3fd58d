#include "platform/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace castor::detail {

void check_failed(const char* file, int line, const char* condition, const char* why) {
  std::fprintf(stderr, "castor: internal error at %s:%d: %s (%s)\n", file, line, why, condition);
  std::abort();
}

}  // namespace castor::detail
