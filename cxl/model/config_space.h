// ConfigSpace: 4 KiB of configuration registers that obey their rows. No SystemC.
#pragma once

#include <array>
#include <cstdint>

#include "cxl/abi/config_space.h"
#include "cxl/abi/config_view.h"

namespace castor::cxl {

class ConfigSpace {
 public:
  /// Begins with `header` at 0; its capability list is empty.
  explicit ConfigSpace(const cfg::StructureDef& header);

  /// Places a capability and links it to the end of its list. It must not overlap what is there.
  void add(const cfg::StructureDef& capability, std::uint16_t offset);
  /// Fixes a value that a row leaves to the specification: what reset() goes back to.
  void fix(std::uint16_t offset, unsigned bytes, std::uint32_t value);
  void make_writable(std::uint16_t offset, std::uint32_t mask);

  /// Software's accesses; any size and place within the 4 KiB.
  std::uint32_t read(std::uint16_t offset, unsigned bytes) const;
  void write(std::uint16_t offset, unsigned bytes, std::uint32_t value);
  /// The hardware's own, which obey no policy.
  std::uint32_t get(std::uint16_t offset, unsigned bytes) const { return read(offset, bytes); }
  void set(std::uint16_t offset, unsigned bytes, std::uint32_t value);
  void set_bits(std::uint16_t offset, unsigned bytes, std::uint32_t bits);

  void reset() { bytes_ = reset_; }

 private:
  using Bytes = std::array<std::uint8_t, CASTOR_PCI_CONFIG_BYTES>;

  void place(const cfg::StructureDef& structure, std::uint16_t offset);
  void link(std::uint16_t id, bool extended, std::uint16_t offset);

  Bytes bytes_{}, reset_{}, writable_{}, clearable_{};
  std::uint16_t last_ = 0, last_extended_ = 0;  // tails of the two lists
  bool complete(std::uint16_t offset, unsigned bytes) const { return offset + bytes <= bytes_.size(); }
};

/// The row that describes capability `id`.
const cfg::StructureDef& structure(std::string_view name);

}  // namespace castor::cxl
