// One process, several simulations one after another: SystemC keeps all its state in a context, which this replaces.
#pragma once

#include "platform/sim/systemc.h"

namespace castor::sim {

/// Before the first module of a simulation is built; modules of the one before must be gone. The old context is left behind: SystemC
/// cannot take it down safely.
inline void fresh_simulation() {
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

}  // namespace castor::sim
