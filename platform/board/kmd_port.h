// The kernel-mode driver's port (runtime/kmd/port.h) on a HostedDriverModule.
#pragma once

#include "platform/board/hosted_driver_module.h"
#include "runtime/kmd/port.h"

namespace castor::board {

struct HostedDriverModule::Port {
  explicit Port(HostedDriverModule& owner);
  castor_kmd_port table{};
};

}  // namespace castor::board
