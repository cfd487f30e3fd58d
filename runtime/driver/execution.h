// What launches share.
#pragma once

#include <vector>

#include "runtime/driver/module.h"

namespace castor::driver {

struct LaunchShape {
  unsigned grid[3], block[3];
  unsigned shared_dynamic = 0;
  bool cooperative = false;
};

CUresult param_info(const std::vector<castor_note_param>& params, std::size_t index, std::size_t* offset,
                    std::size_t* bytes);
/// CTAs of this shape that one SM holds at once.
unsigned resident_blocks(const castor_discovery_header& device, const Function& function, unsigned threads,
                         std::size_t shared_dynamic);
CUresult launch(CUfunction function, const LaunchShape& shape, CUstream stream, void** params, void** extra);

}  // namespace castor::driver
