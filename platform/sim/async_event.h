// AsyncEvent: an event that threads of the host may notify. The only way from another thread into the SystemC kernel.
#pragma once

#include "platform/sim/systemc.h"

namespace castor::sim {

/// While one exists the kernel sleeps when nothing is left to simulate, in place of ending the simulation; notify() wakes
/// it within microseconds. Several notifications before the kernel looks count as one: keep what happened in a queue of
/// your own, push first, notify then. Notifications before the simulation starts are kept.
class AsyncEvent : public sc_core::sc_prim_channel {
 public:
  explicit AsyncEvent(const char* name);
  ~AsyncEvent() override;

  /// From any thread, the kernel's included.
  void notify() { async_request_update(); }
  /// What processes wait for. Comes one delta cycle after the kernel has seen the notification.
  const sc_core::sc_event& event() const { return event_; }

 private:
  void update() override { event_.notify(sc_core::SC_ZERO_TIME); }

  sc_core::sc_event event_;
};

}  // namespace castor::sim
