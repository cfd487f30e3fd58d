// A test program: assembly with its launch, inputs and expected outcome in the head, as lines that start with "#:".
//   #: block X [Y [Z]]        #: grid X [Y [Z]]      #: shared STATIC [DYNAMIC]      #: local BYTES
//   #: in KIND VALUES…        elements at `in`;  KIND is u8 u32 u64 f32 f64
//   #: out KIND [@INDEX] VALUES…   elements expected at `out`, from element INDEX
//   #: fault CAUSE [key=value…]    expected fault; keys lanes, address, detail, warp, size, access, thread, block, pc (symbol)
//   #: schedule default       only with the default slices (the expectation depends on the schedule)
// VALUES: numbers, `v*n` (n times), `a..b` (ascending or descending).
// The program starts at its first instruction with a0 -> {u64 out, u64 in}. Xcastor instructions and the names of Xcastor
// CSRs may be used; everything else is LLVM's assembler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/sm/sm.h"
#include "tests/gpu/sm/flat_memory.h"

namespace castor::sm::test {

inline constexpr std::uint64_t kCode = 0x10000, kOut = 0x200000, kIn = 0x300000, kParams = 0x400000,
                               kReadOnly = 0x500000;
inline constexpr std::uint64_t kBufferBytes = 0x10000;

struct Values {
  std::string kind;
  std::uint64_t index = 0;
  std::vector<std::string> values;
};

struct ExpectedFault {
  std::string cause;
  std::map<std::string, std::string> keys;
};

struct Program {
  std::string name;
  CtaLaunch launch;
  std::vector<Values> in, out;
  std::vector<ExpectedFault> faults;  // at most one
  bool default_schedule_only = false;
  std::vector<std::uint8_t> code;
  std::map<std::string, std::uint64_t> symbols;
};

/// Reads and assembles. Ends the process with the assembler's message if that goes wrong.
Program load_program(const std::string& path);
/// Machine code of assembly text placed at kCode, and its symbols.
std::vector<std::uint8_t> assemble_text(const std::string& text, std::map<std::string, std::uint64_t>& symbols);

/// Maps code, buffers and parameters, and writes the inputs.
void prepare(const Program& program, FlatMemory& memory);

/// Bits of one value of a kind, and the size of its elements.
std::uint64_t value_bits(const std::string& kind, const std::string& value);
unsigned element_bytes(const std::string& kind);

/// Runs the whole grid on one SM, CTAs in order as room permits.
struct Outcome {
  std::vector<SmFault> faults;
  bool stuck = false;
};
Outcome run_grid(Sm& sm, const Program& program, FlatMemory& memory);

}  // namespace castor::sm::test
