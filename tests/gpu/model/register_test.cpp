// Every register block, from its rows: reset values, policies, every bit, holes. One test for all.
#include "gpu/abi/register_view.h"
#include "gpu/model/register_map.h"
#include "platform/core/register_bank.h"
#include "tests/support/catch.h"

using namespace castor;
using gpu::reg::kBlocks;

namespace {

void check_bit(RegisterBank& bank, const RegisterDef& def, unsigned bit) {
  const std::uint32_t one = 1u << bit;
  INFO(def.name << " bit " << bit << " " << name(def.access));
  const std::uint32_t there = def.mask & one;
  bank.set(def.offset, 0);
  CHECK(bank.write(def.offset, one));
  const std::uint32_t after_one = *bank.read(def.offset);
  bank.set(def.offset, def.mask);
  CHECK(bank.write(def.offset, one));
  const std::uint32_t after_full = *bank.read(def.offset);
  switch (def.access) {
    case RegisterAccess::rw:
      CHECK(after_one == there);
      CHECK(after_full == there);
      break;
    case RegisterAccess::ro:
      CHECK(after_one == 0);
      CHECK(after_full == def.mask);
      break;
    case RegisterAccess::w1c:
      CHECK(after_one == 0);
      CHECK(after_full == (def.mask & ~one));
      break;
    case RegisterAccess::w1s:
      CHECK(after_one == there);
      CHECK(after_full == def.mask);
      break;
    case RegisterAccess::wo:
      CHECK(after_one == 0);
      CHECK(after_full == 0);
      break;
    case RegisterAccess::rc:
      CHECK(after_one == 0);
      CHECK(after_full == def.mask);
      CHECK(*bank.read(def.offset) == 0);
      break;
  }
}

}  // namespace

TEST_CASE("every register obeys its row") {
  for (const auto& block : kBlocks) {
    INFO(block.name);
    RegisterBank bank(block.registers);
    for (const RegisterDef& def : block.registers) {
      INFO(def.name);
      CHECK(def.offset + 4 <= block.bytes);
      const std::uint32_t expected = def.access == RegisterAccess::wo ? 0 : def.reset;
      CHECK(bank.read(def.offset) == expected);
      for (unsigned bit = 0; bit < 32; ++bit) check_bit(bank, def, bit);
    }
    bank.reset();
    for (const RegisterDef& def : block.registers) CHECK(bank.get(def.offset) == def.reset);
  }
}

TEST_CASE("what is not a register of a block is a hole") {
  for (const auto& block : kBlocks) {
    RegisterBank bank(block.registers);
    std::size_t found = 0;
    for (std::uint32_t offset = 0; offset < block.bytes; ++offset) {
      const bool is_register = bank.read(offset).has_value();
      CHECK(bank.write(offset, 0) == is_register);
      found += is_register;
    }
    CHECK(found == block.registers.size());
  }
}

TEST_CASE("fields lie within their registers and do not overlap") {
  for (const auto& block : kBlocks) {
    for (const RegisterDef& def : block.registers) {
      std::uint32_t seen = 0;
      for (const FieldDef& field : block.fields) {
        if (field.offset != def.offset) continue;
        INFO(block.name << "." << def.name << "." << field.name);
        CHECK(field.shift + field.width <= 32);
        const auto mask = static_cast<std::uint32_t>(((1ull << field.width) - 1) << field.shift);
        CHECK((seen & mask) == 0);
        seen |= mask;
      }
    }
  }
}

TEST_CASE("handlers hear of writes, supply reads, and see only bits that exist") {
  using namespace gpu::reg::ce;
  RegisterBank bank(kRegisters);
  std::uint32_t heard = 0;
  bank.on_write<CTRL>([&](std::uint32_t value) { heard = value; });
  bank.on_read<PACKETS>([] { return 42u; });
  bank.write(CTRL::offset, ~0u);
  CHECK(heard == CTRL_ENABLE::mask);
  CHECK(bank.read(PACKETS::offset) == 42u);
  CHECK(CTRL_ENABLE::get(CTRL_ENABLE::put(1)) == 1);
}

TEST_CASE("the register map answers words of blocks, and reports everything else") {
  std::vector<std::pair<std::uint32_t, bool>> holes;
  gpu::RegisterMap map([&](std::uint32_t offset, bool write) { holes.emplace_back(offset, write); });
  RegisterBank bank(gpu::reg::ce::kRegisters);
  const auto& block = *std::ranges::find(kBlocks, CASTOR_BLOCK_CE, &gpu::reg::BlockDef::type);
  map.add(block, {.base = 0x4000, .instance = 3}, bank);
  const std::array window{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  map.add_window(0x8000, window);

  CHECK(map.read(0x4000u) == 1);
  CHECK(map.read(0x8000u) == 0x04030201);
  CHECK(holes.empty());
  CHECK(map.read(0x3ffcu) == ~0u);
  map.write(0x5000u, 1u);
  CHECK(map.read(0x4ffcu) == ~0u);
  map.write(0x8000u, 1u);  // the window is read-only
  CHECK(holes ==
        std::vector<std::pair<std::uint32_t, bool>>{{0x3ffc, false}, {0x5000, true}, {0x4ffc, false}, {0x8000, true}});

  std::array<std::byte, 8> eight{};
  map.write(0x4000, std::span<const std::byte>(eight));
  CHECK(bank.get<gpu::reg::ce::CTRL>() == 0);
  std::array<std::byte, 3> three{};
  map.read(std::uint64_t{0x4000}, std::span<std::byte>(three));
  CHECK(three == std::array{std::byte{0xff}, std::byte{0xff}, std::byte{0xff}});
  REQUIRE(map.discovery().size() == 1);
  CHECK(map.discovery()[0].instance == 3);
  CHECK(map.discovery()[0].base == 0x4000);
}
