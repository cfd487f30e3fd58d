#include "compiler/driver/fatbin.h"

#include <cstring>

#include "gpu/abi/module.h"

namespace castor::compiler {
namespace {

template <class T>
void append(std::vector<std::uint8_t>& bytes, const T& value) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

}  // namespace

std::vector<std::uint8_t> make_fatbin(std::span<const std::uint8_t> module, unsigned arch) {
  const std::size_t padded = (module.size() + 7) / 8 * 8;
  castor_fatbin_header header{CASTOR_FATBIN_MAGIC, 1, sizeof(castor_fatbin_header),
                              sizeof(castor_fatbin_entry) + padded};
  castor_fatbin_entry entry{CASTOR_FATBIN_ELF, 1, sizeof(castor_fatbin_entry), module.size(), arch, 0, {0, 0}};
  std::vector<std::uint8_t> bytes;
  bytes.reserve(sizeof header + sizeof entry + padded);
  append(bytes, header);
  append(bytes, entry);
  bytes.insert(bytes.end(), module.begin(), module.end());
  bytes.resize(sizeof header + sizeof entry + padded);
  return bytes;
}

}  // namespace castor::compiler
