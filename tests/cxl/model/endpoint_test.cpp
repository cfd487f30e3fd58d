#include "cxl/model/endpoint.h"

#include <cstring>
#include <span>

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::cxl;

namespace {

constexpr std::uint16_t kId = 0x0100;  // 01:00.0

std::uint64_t size_of_bar(Endpoint& endpoint, std::uint16_t offset) {
  endpoint.config_write(kId, offset, 4, 0xffffffff);
  const std::uint32_t low = endpoint.config_read(offset, 4);
  std::uint64_t mask = low & ~0xfu;
  if ((low & 0x6) == 0x4) {
    endpoint.config_write(kId, offset + 4, 4, 0xffffffff);
    mask |= static_cast<std::uint64_t>(endpoint.config_read(offset + 4, 4)) << 32;
  } else {
    mask |= 0xffffffff00000000;
  }
  return ~mask + 1;
}

std::uint16_t find(const Endpoint& endpoint, unsigned id) {
  auto at = static_cast<std::uint16_t>(endpoint.config_read(0x34, 1));
  while (at != 0 && endpoint.config_read(at, 1) != id) at = static_cast<std::uint16_t>(endpoint.config_read(at + 1, 1));
  return at;
}

void write32(Endpoint& endpoint, std::uint64_t offset, std::uint32_t value) {
  REQUIRE(endpoint.msix_write(offset, std::as_bytes(std::span(&value, 1))));
}

Endpoint placed() {
  Endpoint endpoint({.bar0_bytes = 16u << 20, .bar2_bytes = 4u << 20, .bar4_bytes = 1ull << 30});
  endpoint.config_write(kId, 0x10, 4, 0x40000000);
  endpoint.config_write(kId, 0x18, 4, 0x41000000);
  endpoint.config_write(kId, 0x20, 4, 0x00000000);
  endpoint.config_write(kId, 0x24, 4, 0x8);
  endpoint.config_write(kId, 0x04, 2, 0x6);
  return endpoint;
}

}  // namespace

TEST_CASE("BARs tell their sizes and kinds when all ones are written") {
  Endpoint endpoint({.bar0_bytes = 16u << 20, .bar2_bytes = 4u << 20, .bar4_bytes = 32ull << 30});
  CHECK(size_of_bar(endpoint, 0x10) == 16u << 20);
  CHECK(size_of_bar(endpoint, 0x18) == 4u << 20);
  CHECK(size_of_bar(endpoint, 0x20) == 32ull << 30);
  CHECK((endpoint.config_read(0x10, 4) & 0xf) == 0x0);  // 32-bit
  CHECK((endpoint.config_read(0x20, 4) & 0xf) == 0xc);  // 64-bit, prefetchable
  for (const std::uint16_t none : {0x14, 0x1c, 0x30}) {
    endpoint.config_write(kId, none, 4, 0xffffffff);
    CHECK(endpoint.config_read(none, 4) == 0);
  }
}

TEST_CASE("a BAR answers only while memory decoding is on, in D0, and for whole accesses") {
  Endpoint endpoint = placed();
  const auto hit = endpoint.decode(0x40000010, 4);
  REQUIRE(hit);
  CHECK(hit->bar == 0);
  CHECK(hit->offset == 0x10);
  REQUIRE(endpoint.decode(0x83ffffff8, 8));
  CHECK(endpoint.decode(0x83ffffff8, 8)->bar == 4);
  CHECK(endpoint.decode(0x83ffffff8, 8)->offset == 0x3ffffff8);
  CHECK_FALSE(endpoint.decode(0x83ffffff8, 9));
  CHECK_FALSE(endpoint.decode(0x41400000, 4));
  CHECK_FALSE(endpoint.decode(0x3fffffff, 4));
  endpoint.config_write(kId, find(endpoint, 1) + 4, 2, 3);  // D3hot
  CHECK_FALSE(endpoint.decode(0x40000010, 4));
  CHECK_FALSE(endpoint.may_master());
  endpoint.config_write(kId, find(endpoint, 1) + 4, 2, 0);
  CHECK(endpoint.decode(0x40000010, 4));
  endpoint.config_write(kId, 0x04, 2, 0x4);
  CHECK_FALSE(endpoint.decode(0x40000010, 4));
}

TEST_CASE("BAR4 takes the sizes that it offers and no other") {
  Endpoint endpoint({.bar4_bytes = 1ull << 30});
  const std::uint32_t sizes = endpoint.config_read(0x164, 4);
  CHECK(sizes >> 4 == (1u << 11) - 1);  // 1 MiB to 1 GiB
  CHECK((endpoint.config_read(0x168, 4) >> 8 & 0x3f) == 10);
  endpoint.config_write(kId, 0x168, 4, 8u << 8);
  CHECK(endpoint.bar_bytes(4) == 256u << 20);
  CHECK(size_of_bar(endpoint, 0x20) == 256u << 20);
  endpoint.config_write(kId, 0x168, 4, 11u << 8);
  CHECK(endpoint.bar_bytes(4) == 256u << 20);
  CHECK((endpoint.config_read(0x168, 4) & 0xe7) == 0x24);  // one resizable BAR: 4
}

TEST_CASE("MSI-X: a message goes out when its vector is open, and waits in the pending bits otherwise") {
  Endpoint endpoint = placed();
  const std::uint16_t msix = find(endpoint, 0x11);
  REQUIRE((endpoint.config_read(msix + 2, 2) & 0x7ff) == 63);
  REQUIRE((endpoint.config_read(msix + 4, 4) & 7) == 0);
  REQUIRE((endpoint.config_read(msix + 8, 4) & 7) == 0);
  const std::uint64_t table = endpoint.config_read(msix + 4, 4);
  const std::uint64_t pending = endpoint.config_read(msix + 8, 4);
  REQUIRE(endpoint.owns(table));
  REQUIRE_FALSE(endpoint.owns(table - 4));

  auto pending_bits = [&] {
    std::uint64_t bits = 0;
    REQUIRE(endpoint.msix_read(pending, std::as_writable_bytes(std::span(&bits, 1))));
    return bits;
  };
  endpoint.raise(5);
  CHECK(endpoint.take_messages().empty());  // disabled
  CHECK(pending_bits() == 1u << 5);

  write32(endpoint, table + 5 * 16 + 0, 0x28000003);  // low two bits are reserved
  write32(endpoint, table + 5 * 16 + 4, 0x1);
  write32(endpoint, table + 5 * 16 + 8, 0xabcd);
  endpoint.config_write(kId, msix + 2, 2, 0x8000);
  CHECK(endpoint.take_messages().empty());  // masked since reset
  write32(endpoint, table + 5 * 16 + 12, 0);
  endpoint.config_write(kId, msix + 2, 2, 0xc000);
  CHECK(endpoint.take_messages().empty());  // function masked
  endpoint.config_write(kId, msix + 2, 2, 0x8000);
  endpoint.config_write(kId, 0x04, 2, 0x2);
  CHECK(endpoint.take_messages().empty());  // no bus master
  endpoint.config_write(kId, 0x04, 2, 0x6);
  const auto messages = endpoint.take_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].vector == 5);
  CHECK(messages[0].address == 0x128000000);
  CHECK(messages[0].data == 0xabcd);
  CHECK(pending_bits() == 0);
  CHECK(endpoint.take_messages().empty());
}

TEST_CASE("MSI-X registers take aligned words and double words only") {
  Endpoint endpoint = placed();
  const std::uint64_t table = endpoint.config_read(find(endpoint, 0x11) + 4, 4);
  std::array<std::byte, 16> data{};
  CHECK_FALSE(endpoint.msix_read(table, std::span(data).first(2)));
  CHECK_FALSE(endpoint.msix_read(table + 4, std::span(data).first(8)));
  CHECK_FALSE(endpoint.msix_write(table, data));
  CHECK(endpoint.msix_read(table + 8, std::span(data).first(8)));
}

TEST_CASE("function-level reset forgets all but where the function is") {
  Endpoint endpoint = placed();
  const std::uint16_t pcie = find(endpoint, 0x10);
  REQUIRE((endpoint.config_read(pcie + 4, 4) >> 28 & 1) == 1);  // it says that it can
  CHECK(endpoint.config_write(kId, pcie + 8, 2, 0x8000));
  CHECK(endpoint.config_read(0x10, 4) == 0);
  CHECK(endpoint.config_read(0x04, 2) == 0);
  CHECK((endpoint.config_read(pcie + 8, 2) & 0x8000) == 0);
  CHECK(endpoint.id() == kId);
}

TEST_CASE("errors show in status and AER, the first one with its address") {
  Endpoint endpoint = placed();
  const std::uint16_t pcie = find(endpoint, 0x10);
  endpoint.note_unsupported(0x1234567890, 4);
  endpoint.note_unsupported(0x1, 4);
  CHECK((endpoint.config_read(pcie + 0xa, 2) & 8) != 0);
  CHECK(endpoint.config_read(0x104, 4) == 1u << 20);
  CHECK((endpoint.config_read(0x118, 4) & 0x1f) == 20);
  CHECK(endpoint.config_read(0x11c, 4) == 0x34567890);
  CHECK(endpoint.config_read(0x120, 4) == 0x12);
  endpoint.config_write(kId, 0x104, 4, 1u << 20);
  CHECK(endpoint.config_read(0x104, 4) == 0);
}

TEST_CASE("a specification that cannot be built is refused by name") {
  CHECK(EndpointSpec{}.check().ok());
  CHECK(EndpointSpec{.bar2_bytes = 3u << 20}.check().message().find("BAR2") != std::string::npos);
  CHECK_FALSE(EndpointSpec{.bar4_bytes = 4096}.check().ok());
  CHECK_FALSE(EndpointSpec{.vectors = 65}.check().ok());
  CHECK_FALSE(EndpointSpec{.vectors = 0}.check().ok());
}
