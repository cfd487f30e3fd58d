// Random sequences of instructions over all registers: aliased operands, x0, values that flow from one instruction to the
// next, boxed and unboxed floats. The registers at the end are folded into one word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/gpu/isa/random_insn.h"

namespace castor::hart::testing {

/// Bodies for GuestProgram with the result in a0, out of instructions that Debian's qemu has and that do not tell where the code lies.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed);
  std::vector<std::string> operator()(int length);
  std::size_t operations() const { return ops_.size(); }

 private:
  std::string instruction();

  isa::testing::RandomInsn random_;
  std::vector<isa::Op> ops_;
};

}  // namespace castor::hart::testing
