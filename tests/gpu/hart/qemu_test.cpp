// Lock step with qemu-riscv64: the same program runs there and on our hart, and every result and flag is compared.
// Which instructions take part follows from the rows: all of the chapters that Debian's qemu 7.2 knows.
#include "tests/gpu/hart/instruction_cases.h"
#include "tests/support/catch.h"

using namespace castor::hart::testing;
namespace fp = castor::semantics::fp;

namespace {

void require_agreement(const GuestProgram& program) {
  const auto ours = program.run_on_hart();
  const auto theirs = program.run_on_qemu("rv64,Zfh=true");  // Zba, Zbb, Zbs are on by default
  REQUIRE(program.outcomes() > 0);
  REQUIRE(ours.size() == program.outcomes());
  REQUIRE(theirs.size() == program.outcomes());
  const auto difference = program.compare(ours, theirs);
  INFO(difference.text);
  CHECK(difference.count == 0);
}

template <class F>
void check_format() {
  GuestProgram program;
  CHECK(add_format_cases<F>(program, Modes::all, false) >= 28);
  require_agreement(program);
}

}  // namespace

TEST_CASE("integer instructions agree with qemu") {
  GuestProgram program;
  add_integer_cases(program, {"rv64i_zifencei", "m", "zba", "zbb", "zbs"});
  require_agreement(program);
}

TEST_CASE("branches and jumps agree with qemu") {
  GuestProgram program;
  add_branch_cases(program);
  add_pc_cases(program);
  require_agreement(program);
}

TEST_CASE("loads and stores agree with qemu") {
  GuestProgram program;
  add_memory_cases(program);
  require_agreement(program);
}

TEST_CASE("atomics agree with qemu, register and memory") {
  GuestProgram program;
  add_atomic_cases(program);
  require_agreement(program);
}

TEST_CASE("floating-point CSRs agree with qemu") {
  GuestProgram program;
  add_float_csr_cases(program);
  require_agreement(program);
}

TEST_CASE("single precision agrees with qemu in all rounding modes") { check_format<fp::Single>(); }
TEST_CASE("double precision agrees with qemu in all rounding modes") { check_format<fp::Double>(); }
TEST_CASE("half precision agrees with qemu in all rounding modes") { check_format<fp::Half>(); }

TEST_CASE("conversions among formats agree with qemu in all rounding modes") {
  GuestProgram program;
  CHECK(add_conversion_cases(program, Modes::all, false) == 6);
  require_agreement(program);
}
