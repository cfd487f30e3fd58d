// The fat binary of gpu/abi/module.h: what a host object carries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace castor::compiler {

/// One entry: the module as ELF.
std::vector<std::uint8_t> make_fatbin(std::span<const std::uint8_t> module, unsigned arch);

}  // namespace castor::compiler
