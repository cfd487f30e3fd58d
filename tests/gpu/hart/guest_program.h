// One program that runs instructions over operand tables and leaves what they did in a result area: on our hart and, as a
// static Linux executable, under qemu-riscv64.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/gpu/hart/operands.h"

namespace castor::hart::testing {

/// What one instruction did with one set of operands: a register (or memory word) and fflags.
struct Outcome {
  std::uint64_t value = 0, flags = 0;
  bool operator==(const Outcome&) const = default;
};

class GuestProgram {
 public:
  struct Case {
    std::vector<std::string> body;
    std::string result;
    std::size_t table, first;  // first outcome
  };

  GuestProgram();

  /// The number of a table for add_case.
  std::size_t add_table(Operands operands);

  /// Runs `body` for each row of the table. Before it: a1, a2, a3 and fa1, fa2, fa3 hold the row, a0 = a1, s3 the address
  /// of 64 scratch bytes, s4 = 1, flags clear. After it: `result` ("a0" or "fa0") and the flags are recorded.
  void add_case(std::size_t table, std::string_view result, std::vector<std::string> body);

  /// Each gives the outcomes of all cases in order; empty if the program did not come to its end.
  std::vector<Outcome> run_on_qemu(const std::string& cpu) const;
  std::vector<Outcome> run_on_hart() const;

  /// Compares outcomes word by word; at most a few differences are worded, all are counted.
  struct Difference {
    std::size_t count = 0;
    std::string text;
  };
  Difference compare(std::span<const Outcome> ours, std::span<const Outcome> theirs) const;
  std::size_t outcomes() const { return outcomes_; }
  const std::vector<Case>& cases() const { return cases_; }
  const Operands& table(std::size_t number) const { return tables_[number]; }

 private:
  void emit(const std::string& line);
  void load_address(const char* reg, std::uint64_t address);
  std::uint64_t table_address(std::size_t table) const;
  std::vector<std::uint32_t> whole_code() const;
  std::vector<std::byte> data() const;
  std::vector<std::byte> executable() const;

  std::vector<std::uint32_t> code_;
  std::vector<Operands> tables_;
  std::vector<std::uint64_t> table_starts_;  // rows before the table
  std::vector<Case> cases_;
  std::size_t outcomes_ = 0;
};

}  // namespace castor::hart::testing
