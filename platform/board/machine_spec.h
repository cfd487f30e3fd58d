// MachineSpec: everything about a machine that is fixed when it is built. Filled in from a TOML file (config.h).
#pragma once

#include <cstdint>
#include <string>

#include "chiplet/model/package_spec.h"
#include "cxl/model/link_spec.h"

namespace castor::board {

struct MachineSpec {
  std::string name;  // of the configuration
  chiplet::PackageSpec package;
  cxl::LinkSpec link;
  std::uint64_t host_ram_bytes = 256u << 20;  // for the driver's own allocations

  /// Whether it can be built; the status names what is wrong.
  Status check() const;
};

}  // namespace castor::board
