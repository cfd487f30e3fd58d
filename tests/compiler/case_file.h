// A test case of the compiler: a CUDA source whose head says what is expected of it, in comment lines:
//
//   // options: -G -lineinfo                     more options of castor cc
//   // error: TEXT                               compiling fails, and the message contains TEXT (may be repeated)
//   // check: REGEX / check-not: REGEX           lines of the disassembly; checks match in order, nots hold everywhere
//   // descriptor KERNEL: field=value …          fields of castor_kernel_desc
//   // params KERNEL: offset:size:align …        the parameter note
//   // buffer NAME: TYPE VALUES…                 device memory; TYPE is i32 u32 i64 u64 f32 f64 u8;
//                                                VALUES are numbers, or "zero N", or "iota N [FIRST [STEP]]"
//   // launch KERNEL GRID BLOCK DYNAMIC: ARGS…   GRID and BLOCK are XxYxZ; ARGS are buffer names or type=value
//   // expect NAME: TYPE VALUES…                 the buffer's first elements after all launches; floats within 2 ulp
//   // fault: CAUSE                              the last launch ends in this fault
//   // simd KERNEL: PERCENT                      at least so many lanes active while the last launch ran
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace castor::compiler::test {

struct Values {
  std::string type;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;  // the same for integer types, exactly
  std::vector<std::uint8_t> bytes() const;
  std::size_t element_bytes() const;
};

struct Buffer {
  std::string name;
  Values values;
};

struct Launch {
  std::string kernel;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t dynamic = 0;
  std::vector<std::string> arguments;
};

struct NamedText {
  std::string name, text;
};

struct CaseFile {
  std::string path;
  std::vector<std::string> options, errors;
  std::vector<NamedText> checks;  // name is "check" or "check-not"
  std::vector<NamedText> descriptors, params;
  std::vector<Buffer> buffers, expected;
  std::vector<Launch> launches;
  std::optional<std::string> fault;
  std::optional<double> simd_percent;
  std::vector<std::string> mistakes;  // lines of the head that say nothing known
};

CaseFile read_case(const std::string& path);
Values parse_values(const std::string& text);

}  // namespace castor::compiler::test
