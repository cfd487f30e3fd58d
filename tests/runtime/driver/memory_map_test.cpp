// What an address means, and which allocation a wrong one is near to.
#include "runtime/driver/memory_map.h"

#include "tests/support/catch.h"

using namespace castor::driver;

namespace {
Allocation block(std::uint64_t va, std::uint64_t bytes) {
  Allocation out;
  out.va = va;
  out.bytes = bytes;
  return out;
}
}  // namespace

TEST_CASE("addresses are found in the allocation that holds them") {
  MemoryMap map;
  CHECK(!map.find(0x1000));
  CHECK(!map.nearest(0x1000));
  map.add(block(0x1000, 100));
  map.add(block(0x3000, 0x1000));
  CHECK(map.find(0x1000)->va == 0x1000);
  CHECK(map.find(0x1063)->va == 0x1000);
  CHECK(!map.find(0x1064));
  CHECK(!map.find(0xfff));
  CHECK(map.find(0x3fff)->va == 0x3000);
  CHECK(!map.at(0x3001));
  CHECK(map.nearest(0x1010)->va == 0x1000);
  CHECK(map.nearest(0x1070)->va == 0x1000);
  CHECK(map.nearest(0x2f00)->va == 0x3000);
  CHECK(map.nearest(0x10)->va == 0x1000);
  CHECK(map.nearest(0x9000)->va == 0x3000);
  CHECK(map.overlaps(0x0, 0x1001));
  CHECK(!map.overlaps(0x0, 0x1000));
  CHECK(map.overlaps(0x3fff, 1));
  CHECK(!map.overlaps(0x4000, 0x1000));
  CHECK(map.at(0x1000)->id != map.at(0x3000)->id);
  CHECK(map.remove(0x1000)->bytes == 100);
  CHECK(!map.remove(0x1000));
}

TEST_CASE("an allocation contains what lies wholly inside it") {
  const Allocation allocation = block(0x1000, 0x100);
  CHECK(allocation.contains(0x1000, 0x100));
  CHECK(!allocation.contains(0x1000, 0x101));
  CHECK(!allocation.contains(0x10ff, 2));
  CHECK(!allocation.contains(0xfff, 1));
  CHECK(!allocation.contains(0x1010, ~0ull));
}
