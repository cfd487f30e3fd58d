#include "platform/sim/async_event.h"

namespace castor::sim {

AsyncEvent::AsyncEvent(const char* name) : sc_prim_channel(sc_core::sc_gen_unique_name(name)) {
  async_attach_suspending();
}

AsyncEvent::~AsyncEvent() { async_detach_suspending(); }

}  // namespace castor::sim
