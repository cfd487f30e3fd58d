// One program, several simulations: SystemC keeps its state in a context that a test replaces before it builds modules.
#pragma once

#include "platform/sim/systemc.h"

namespace castor::tests {

/// Modules of the test before must be gone. The old context is left behind: SystemC cannot take it down safely.
inline void fresh_simulation() {
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
}

}  // namespace castor::tests
