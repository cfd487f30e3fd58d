// Which compilation of the inner loop the host's processor can run.
#include "gpu/sm/core.h"

namespace castor::sm {

namespace {

CpuLevel host_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return CpuLevel::v4;
  if (__builtin_cpu_supports("x86-64-v3")) return CpuLevel::v3;
#endif
  return CpuLevel::baseline;
}

}  // namespace

bool cpu_supports(CpuLevel level) { return level == CpuLevel::best || level <= host_level(); }

const Engine& engine_for(CpuLevel level) {
  if (level == CpuLevel::best) level = host_level();
#if defined(__x86_64__)
  if (level == CpuLevel::v4) return v4::kEngine;
  if (level == CpuLevel::v3) return v3::kEngine;
#endif
  return baseline::kEngine;
}

}  // namespace castor::sm
