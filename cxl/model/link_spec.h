// LinkSpec: a PCI Express link.
#pragma once

#include <cstdint>

namespace castor::cxl {

struct LinkSpec {
  unsigned generation = 5;         // 1 to 6
  unsigned lanes = 16;             // 1, 2, 4, 8 or 16
  std::uint32_t latency_ns = 150;  // one way, a packet's last bit to last bit

  /// Bytes a nanosecond, each way, after line coding.
  double bytes_per_ns() const {
    constexpr double kGigabytes[] = {0, 0.25, 0.5, 0.985, 1.969, 3.938, 7.563};  // per lane
    return kGigabytes[generation] * lanes;
  }
};

}  // namespace castor::cxl
