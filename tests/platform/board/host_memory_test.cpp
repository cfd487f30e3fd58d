#include "platform/board/host_memory.h"

#include <cstring>
#include <vector>

#include "platform/board/host_map.h"

#include "tests/support/catch.h"

using namespace castor;
using board::HostMemory;

TEST_CASE("RAM comes zeroed, in whole pages, and is zeroed again when it is given out again") {
  HostMemory memory(1u << 20);
  auto block = memory.allocate(5000);
  REQUIRE(block.ok());
  CHECK(block->bus.value % 4096 == 0);
  CHECK(memory.find(block->bus, 8192) == block->host);
  CHECK(memory.free_bytes() == (1u << 20) - 8192);
  std::memset(block->host, 0xa5, 8192);
  const BusAddr bus = block->bus;
  memory.release(bus, 5000);
  CHECK(memory.free_bytes() == 1u << 20);
  auto again = memory.allocate(8192);
  REQUIRE(again.ok());
  REQUIRE(again->bus == bus);
  for (std::size_t i = 0; i < 8192; ++i) REQUIRE(again->host[i] == std::byte{0});
}

TEST_CASE("blocks do not overlap, and freed neighbours become one piece") {
  HostMemory memory(64 << 10);
  std::vector<BusAddr> pages;
  while (true) {
    auto block = memory.allocate(4096);
    if (!block) break;
    pages.push_back(block->bus);
  }
  REQUIRE(pages.size() == 16);
  auto refused = memory.allocate(1);
  CHECK(refused.status().code() == StatusCode::out_of_memory);
  CHECK(refused.status().message().find("host.ram_bytes") != std::string::npos);
  for (const unsigned page : {1u, 3u, 2u, 0u}) memory.release(pages[page], 4096);
  CHECK(memory.allocate(4 * 4096).ok());
  CHECK_FALSE(memory.allocate(0).ok());
}

TEST_CASE("pinned memory is on the bus until it is unpinned, page by page, apart from its neighbours") {
  HostMemory memory(64 << 10);
  std::vector<std::byte> storage(5 * 4096);
  auto* first = storage.data();
  const auto a = memory.pin({first, 2 * 4096});
  const auto b = memory.pin({first + 2 * 4096, 4096});
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(a.value() >= board::kPinnedBase);
  const auto page = memory.pinned_page(a.value(), 1);
  REQUIRE(page.ok());
  CHECK(memory.find(page.value(), 4096) == first + 4096);
  CHECK_FALSE(memory.pinned_page(a.value(), 2).ok());
  CHECK_FALSE(memory.pinned_page(a.value() + 4096, 0).ok());
  CHECK(memory.find(BusAddr{page.value().value + 4096}, 1) == nullptr);  // nothing right behind it
  memory.unpin(a.value());
  CHECK(memory.find(page.value(), 1) == nullptr);
  CHECK_FALSE(memory.pinned_page(a.value(), 0).ok());
  memory.unpin(a.value());  // twice is harmless
  CHECK_FALSE(memory.pin({first, 100}).ok());
  CHECK_FALSE(memory.pin({first, 0}).ok());
}

TEST_CASE("the bus map has no overlaps") {
  struct Range {
    std::uint64_t base, bytes;
  };
  const Range ranges[] = {{board::kMsiBase, board::kMsiBytes},       {board::kEcamBase, board::kEcamBytes},
                          {board::kMmio32Base, board::kMmio32Bytes}, {board::kRamBase, 2ull << 30},
                          {board::kMmio64Base, board::kMmio64Bytes}, {board::kPinnedBase, board::kPinnedBytes}};
  for (std::size_t i = 0; i + 1 < std::size(ranges); ++i) CHECK(ranges[i].base + ranges[i].bytes <= ranges[i + 1].base);
}
