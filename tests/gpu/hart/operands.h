// Operand tables: edge cases of integers and of each floating-point format, in pairs and triples, and random values.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "gpu/semantics/fp/format.h"

namespace castor::hart::testing {

using Triple = std::array<std::uint64_t, 3>;
using Operands = std::vector<Triple>;

Operands integer_operands();
/// For instructions that read one x register as an integer to convert.
Operands integer_singles();

/// Boxed as a register holds the format; a few are not boxed properly.
template <class F>
Operands float_pairs();
template <class F>
Operands float_triples();
template <class F>
Operands float_singles();

}  // namespace castor::hart::testing
