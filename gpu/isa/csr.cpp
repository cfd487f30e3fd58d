#include "gpu/isa/csr.h"

namespace castor::isa {

std::string_view csr_name(unsigned number) {
  for (const CsrDef& csr : kCsrs) {
    if (csr.number == number) return csr.name;
  }
  return {};
}

std::optional<std::uint16_t> csr_number(std::string_view name) {
  for (const CsrDef& csr : kCsrs) {
    if (csr.name == name) return csr.number;
  }
  return std::nullopt;
}

}  // namespace castor::isa
