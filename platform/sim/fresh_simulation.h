// One process, several simulations one after another: SystemC keeps all its state in a context, which this replaces.
#pragma once

#include <vector>

#include "platform/sim/systemc.h"

namespace castor::sim {

/// Before the first module of a simulation is built; modules of the one before must be gone. Contexts before are kept: SystemC cannot
/// take them down safely.
inline void fresh_simulation() {
  static auto& kept = *new std::vector<sc_core::sc_simcontext*>;
  kept.push_back(sc_core::sc_curr_simcontext);
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

}  // namespace castor::sim
