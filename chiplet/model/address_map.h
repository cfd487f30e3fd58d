// AddressMap: which die and which HBM stack hold a device address.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/core/guest.h"

namespace castor::chiplet {

class AddressMap {
 public:
  AddressMap(unsigned dies, unsigned stacks_per_die, std::uint64_t interleave_bytes)
      : dies_(dies), stacks_(stacks_per_die), interleave_(interleave_bytes) {}

  struct Home {
    unsigned die, stack;  // stack within the die
    std::uint64_t bytes;  // from the address to the end of what lies there in one piece
  };
  Home locate(DevAddr address) const {
    const std::uint64_t granule = address.value / interleave_;
    return {static_cast<unsigned>(granule % dies_), static_cast<unsigned>(granule / dies_ % stacks_),
            interleave_ - address.value % interleave_};
  }

 private:
  unsigned dies_, stacks_;
  std::uint64_t interleave_;
};

}  // namespace castor::chiplet
