// Random programs in lock step with qemu.
#include "tests/gpu/hart/random_program.h"
#include "tests/gpu/hart/guest_program.h"
#include "tests/support/catch.h"

using namespace castor::hart::testing;

TEST_CASE("random programs end with the registers and flags that qemu has") {
  RandomProgram random(6);
  CHECK(random.operations() > 170);
  GuestProgram program;
  Operands operands = integer_operands();
  operands.resize(60);
  const auto table = program.add_table(operands);
  for (int i = 0; i < 500; ++i) program.add_case(table, "a0", random(60));
  const auto ours = program.run_on_hart();
  const auto theirs = program.run_on_qemu("rv64,Zfh=true");
  REQUIRE(ours.size() == program.outcomes());
  REQUIRE(theirs.size() == program.outcomes());
  const auto difference = program.compare(ours, theirs);
  INFO(difference.text);
  CHECK(difference.count == 0);
}
