// Every row of configuration space obeys its policy; the lists are well formed. Numbers are those of the PCI Express specification.

#include <functional>
#include <map>
#include <vector>

#include "cxl/model/endpoint.h"
#include "cxl/model/root_port.h"

#include "tests/support/catch.h"

using namespace castor::cxl;

namespace {

struct Function {
  std::function<std::uint32_t(std::uint16_t, unsigned)> read;
  std::function<void(std::uint16_t, unsigned, std::uint32_t)> write;
};

/// id → offset of every capability in the list that starts at 0x34.
std::map<unsigned, std::uint16_t> walk_capabilities(const Function& function) {
  std::map<unsigned, std::uint16_t> found;
  auto offset = static_cast<std::uint16_t>(function.read(0x34, 1));
  while (offset != 0) {
    REQUIRE(offset >= 0x40);
    REQUIRE(offset % 4 == 0);
    REQUIRE(found.size() < 48);
    REQUIRE(found.emplace(function.read(offset, 1), offset).second);
    offset = static_cast<std::uint16_t>(function.read(offset + 1, 1));
  }
  return found;
}

std::map<unsigned, std::uint16_t> walk_extended(const Function& function) {
  std::map<unsigned, std::uint16_t> found;
  std::uint16_t offset = 0x100;
  while (offset != 0) {
    REQUIRE(offset >= 0x100);
    REQUIRE(offset % 4 == 0);
    const std::uint32_t head = function.read(offset, 4);
    REQUIRE((head >> 16 & 0xf) == 1);
    REQUIRE(found.emplace(head & 0xffff, offset).second);
    offset = static_cast<std::uint16_t>(head >> 20);
  }
  return found;
}

Function function_of(Endpoint& endpoint) {
  return {[&](std::uint16_t offset, unsigned bytes) { return endpoint.config_read(offset, bytes); },
          [&](std::uint16_t offset, unsigned bytes, std::uint32_t value) {
            endpoint.config_write(0x0100, offset, bytes, value);
          }};
}

Function function_of(RootPort& port) {
  return {[&](std::uint16_t offset, unsigned bytes) { return port.config_read(offset, bytes); },
          [&](std::uint16_t offset, unsigned bytes, std::uint32_t value) { port.config_write(offset, bytes, value); }};
}

}  // namespace

TEST_CASE("the endpoint's lists hold exactly its capabilities") {
  Endpoint endpoint({});
  const Function function = function_of(endpoint);
  const auto capabilities = walk_capabilities(function);
  REQUIRE(capabilities.size() == 3);
  CHECK(capabilities.count(0x01) == 1);  // power management
  CHECK(capabilities.count(0x10) == 1);  // PCI Express
  CHECK(capabilities.count(0x11) == 1);  // MSI-X
  const auto extended = walk_extended(function);
  REQUIRE(extended.size() == 3);
  CHECK(extended.count(0x0001) == 1);  // AER
  CHECK(extended.count(0x0003) == 1);  // serial number
  CHECK(extended.count(0x0015) == 1);  // resizable BAR
  CHECK((function.read(0x06, 2) & 0x10) != 0);
  CHECK((function.read(capabilities.at(0x10) + 2, 2) & 0xf0) == 0x00);  // endpoint
}

TEST_CASE("the root port is a bridge with a PCI Express capability of its type") {
  RootPort port({});
  const Function function = function_of(port);
  CHECK((function.read(0x0e, 1) & 0x7f) == 1);
  CHECK(function.read(0x08, 4) >> 8 == 0x060400);
  const auto capabilities = walk_capabilities(function);
  REQUIRE(capabilities.count(0x10) == 1);
  CHECK((function.read(capabilities.at(0x10) + 2, 2) & 0xf0) == 0x40);  // root port
  CHECK(walk_extended(function).count(0x0001) == 1);
}

TEST_CASE("every bit of every row obeys its policy, alone and beside its neighbours") {
  // One structure at a time behind a header, at a place of its own, so that every row is met as it is written.
  for (const auto& structure : cfg::kStructures) {
    const bool header = structure.id == 0;
    ConfigSpace space(header ? structure : cfg::kStructures[0]);
    const std::uint16_t base = header ? 0 : structure.extended ? 0x100 : 0x40;
    if (!header) space.add(structure, base);
    for (const auto& def : structure.registers) {
      const auto at = static_cast<std::uint16_t>(base + def.offset);
      if (at == 0x34) continue;  // filled in as capabilities are added
      INFO(structure.name << "." << def.name);
      REQUIRE(space.read(at, def.bytes) == def.reset);
      const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << 8 * def.bytes) - 1);
      space.write(at, def.bytes, all);
      REQUIRE(space.read(at, def.bytes) == ((def.reset | def.writable) & ~def.clearable));
      space.write(at, def.bytes, 0);
      REQUIRE(space.read(at, def.bytes) == (def.reset & ~def.writable & ~def.clearable));
      // What hardware sets stays until a one is written to it.
      space.set_bits(at, def.bytes, def.clearable);
      space.write(at, def.bytes, 0);
      REQUIRE((space.read(at, def.bytes) & def.clearable) == def.clearable);
      for (unsigned bit = 0; bit < 8u * def.bytes; ++bit) {
        if ((def.clearable >> bit & 1) == 0) continue;
        space.write(at, def.bytes, 1u << bit);
        REQUIRE((space.read(at, def.bytes) >> bit & 1) == 0);
      }
    }
  }
}

TEST_CASE("reset brings every register back") {
  Endpoint endpoint({});
  std::vector<std::uint32_t> before;
  for (unsigned at = 0; at < 4096; at += 4) before.push_back(endpoint.config_read(static_cast<std::uint16_t>(at), 4));
  for (unsigned at = 0; at < 4096; at += 4) {
    if (at == 0x68) continue;  // device control would reset on its own
    endpoint.config_write(0x100, static_cast<std::uint16_t>(at), 4, 0xffffffff);
  }
  CHECK(endpoint.config_read(0x04, 2) != (before[1] & 0xffff));
  endpoint.reset();
  for (unsigned at = 0; at < 4096; at += 4) {
    INFO("offset " << at);
    REQUIRE(endpoint.config_read(static_cast<std::uint16_t>(at), 4) == before[at / 4]);
  }
}

TEST_CASE("accesses of one, two and four bytes see the same registers") {
  Endpoint endpoint({});
  CHECK(endpoint.config_read(0, 1) == 0x57);
  CHECK(endpoint.config_read(1, 1) == 0xca);
  CHECK(endpoint.config_read(2, 2) == 0x2d1e);
  CHECK(endpoint.config_read(0, 4) == 0x2d1eca57);
  endpoint.config_write(0x100, 0x3c, 1, 0x5a);
  CHECK((endpoint.config_read(0x3c, 4) & 0xff) == 0x5a);
  CHECK(endpoint.config_read(4095, 4) == 0xffffffff);
}
