// GspModule: the firmware hart with a SystemC process and a way to the host's memory.
#pragma once

#include <string>

#include "gpu/model/bus_master.h"
#include "gpu/model/device_memory.h"
#include "gpu/model/gsp.h"
#include "gpu/model/interrupt_tree.h"

namespace castor::gpu {

class GspModule : public sc_core::sc_module {
 public:
  struct Ports {
    RegisterMap& registers;
    DeviceMemory& memory;
    InterruptTree& interrupts;
  };
  GspModule(sc_core::sc_module_name name, const Gsp::Spec& spec, Ports ports);

  BusMaster bus;
  Gsp& gsp() { return gsp_; }

 private:
  void serve();

  Gsp gsp_;
  sc_core::sc_event wake_;
};

}  // namespace castor::gpu
