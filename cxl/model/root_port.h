// RootPort: a port of the root complex, as the bridge that software sees. No SystemC.
#pragma once

#include <cstdint>

#include "cxl/model/config_space.h"
#include "cxl/model/link_spec.h"

namespace castor::cxl {

class RootPort {
 public:
  explicit RootPort(const LinkSpec& link);

  std::uint32_t config_read(std::uint16_t offset, unsigned bytes) const { return config_.read(offset, bytes); }
  /// True: the bus below has just been put in reset.
  bool config_write(std::uint16_t offset, unsigned bytes, std::uint32_t value);

  /// Configuration requests for this bus go down the link.
  enum class Below { no, type0, type1 };
  Below holds_bus(unsigned bus) const;
  /// Whether a host access to these addresses goes down the link.
  bool forwards_down(std::uint64_t address, std::uint64_t bytes) const;
  bool forwards_up() const;

  struct Window {
    std::uint64_t first, last;  // first > last: closed
    bool holds(std::uint64_t address, std::uint64_t bytes) const {
      return address >= first && address <= last && bytes - 1 <= last - address;
    }
  };
  Window memory_window() const;
  Window prefetch_window() const;

 private:
  bool command(std::uint32_t mask) const;
  bool in_reset() const;

  ConfigSpace config_;
};

}  // namespace castor::cxl
