// Event: a value of a stream's timeline, with a device timestamp unless the program does without.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/driver/context.h"

/// What a CUevent points to.
struct CUevent_st {
  castor::driver::Context& context;
  const unsigned flags;
  castor::driver::PinnedSlots::Word* time = nullptr;  // null: no timing

  std::mutex mutex;
  std::shared_ptr<castor::driver::Timeline> timeline;  // null: never recorded
  std::uint64_t value = 0;

  bool timed() const { return time != nullptr; }
};

namespace castor::driver {
using Event = CUevent_st;
/// Forgets the events of a context that goes away.
void drop_events(Context& context);
}  // namespace castor::driver
