// The rows of configuration space as data: castor::cxl::cfg::pcie::kRegisters and so on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace castor::cxl::cfg {

struct ConfigDef {
  std::string_view name;
  std::uint16_t offset;  // in the structure
  std::uint8_t bytes;    // 1 to 4
  std::uint32_t reset;
  std::uint32_t writable;
  std::uint32_t clearable;  // write one to clear
  std::string_view doc;
};

/// Registers ascend, do not overlap, and every mask and reset value lies within its register.
consteval bool well_formed(std::span<const ConfigDef> registers) {
  unsigned end = 0;
  for (const ConfigDef& def : registers) {
    const std::uint64_t room = (std::uint64_t{1} << 8 * def.bytes) - 1;
    if (def.offset < end || def.bytes == 0 || def.bytes > 4) return false;
    if ((def.reset & ~room) != 0 || (def.writable & ~room) != 0 || (def.clearable & ~room) != 0) return false;
    if ((def.writable & def.clearable) != 0) return false;
    end = def.offset + def.bytes;
  }
  return true;
}

#define CFG(name, offset, bytes, reset, writable, clearable, doc) \
  ConfigDef{#name, offset, bytes, reset, writable, clearable, doc},
#define CFG_FIELD(reg, name, shift, width, doc)
namespace header {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/header.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace header
namespace bridge {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/bridge.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace bridge
namespace pm {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/pm.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace pm
namespace msix {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/msix.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace msix
namespace pcie {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/pcie.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace pcie
namespace aer {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/aer.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace aer
namespace serial {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/serial.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace serial
namespace rebar {
inline constexpr auto kRegisters = std::to_array<ConfigDef>({
#include "cxl/abi/config/rebar.inc"
});
static_assert(well_formed(kRegisters));
}  // namespace rebar
#undef CFG
#undef CFG_FIELD

struct StructureDef {
  std::string_view name;
  std::uint16_t id;  // capability id; 0: a header
  bool extended;
  std::span<const ConfigDef> registers;
  std::string_view doc;
};

inline constexpr std::array kStructures{
#define STRUCTURE(name, folder, id, extended, doc) StructureDef{#name, id, extended != 0, folder::kRegisters, doc},
#include "cxl/abi/config/structures.inc"
#undef STRUCTURE
};

}  // namespace castor::cxl::cfg
