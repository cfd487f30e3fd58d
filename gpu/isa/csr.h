// Control and status registers by number and name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace castor::isa {

/// Numbers of all CSRs.
enum class Csr : std::uint16_t {
#define CSR(id, name, number, doc) id = number,
#include "gpu/isa/csr.inc"
#include "gpu/isa/rv64csr.inc"
#undef CSR
};

struct CsrDef {
  std::string_view name;
  std::uint16_t number;
  std::string_view doc;
};

inline constexpr CsrDef kCsrs[] = {
#define CSR(id, name, number, doc) {name, number, doc},
#include "gpu/isa/csr.inc"
#include "gpu/isa/rv64csr.inc"
#undef CSR
};

/// Name of a CSR, empty if it has no row.
std::string_view csr_name(unsigned number);
std::optional<std::uint16_t> csr_number(std::string_view name);

/// Bits 11..10 set mean that the CSR cannot be written; bits 9..8 are the lowest privilege that may touch it.
constexpr bool csr_read_only(unsigned number) { return (number >> 10 & 3) == 3; }
constexpr unsigned csr_privilege(unsigned number) { return number >> 8 & 3; }

}  // namespace castor::isa
