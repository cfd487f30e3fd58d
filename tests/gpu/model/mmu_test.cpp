// The page-table walk and the MMU, against tables that the test builds.
#include <map>
#include <random>

#include "gpu/model/mmu.h"
#include "tests/gpu/model/fake_host.h"
#include "tests/gpu/model/table_builder.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::gpu;
using test::TableBuilder;

namespace {

constexpr std::uint64_t kAll = CASTOR_PTE_READ | CASTOR_PTE_WRITE | CASTOR_PTE_EXECUTE | CASTOR_PTE_ATOMIC;
constexpr std::uint64_t kHost = std::uint64_t{CASTOR_APERTURE_HOST_COHERENT} << CASTOR_PTE_APERTURE_SHIFT;

struct Space {
  DeviceMemory memory{64u << 20};
  TableBuilder tables{memory, 0x100000};
  Mapping walk(std::uint64_t address) { return gpu::walk(memory, DevAddr{tables.root()}, VirtAddr{address}); }
  bool maps(std::uint64_t address) { return walk(address).fault == FaultCause::none; }
};

}  // namespace

TEST_CASE("pages of every size translate, to their last byte and no further") {
  Space space;
  space.tables.map(0x7fff'ffff'f000, 0x5000, kAll, CASTOR_PAGE_4K);
  space.tables.map(0x1000'0000'0000, 0x20'0000, kAll, CASTOR_PAGE_2M);
  space.tables.map(0x2000'0001'0000, 0x3'0000, kAll, CASTOR_PAGE_64K);
  CHECK(space.walk(0x7fff'ffff'ffff).target == 0x5000);
  CHECK(space.walk(0x7fff'ffff'ffff).page.value == 0x7fff'ffff'f000);
  CHECK_FALSE(space.maps(0x8000'0000'0000));
  CHECK_FALSE(space.maps(0x7fff'ffff'efff));
  CHECK(space.walk(0x1000'001f'ffff).page_bytes == CASTOR_PAGE_2M);
  CHECK(space.walk(0x1000'001f'ffff).target == 0x20'0000);
  CHECK_FALSE(space.maps(0x1000'0020'0000));
  CHECK(space.walk(0x2000'0001'ffff).page_bytes == CASTOR_PAGE_64K);
  CHECK(space.walk(0x2000'0001'ffff).page.value == 0x2000'0001'0000);
  CHECK(space.walk(0x2000'0001'ffff).target == 0x3'0000);
  CHECK_FALSE(space.maps(0x2000'0002'0000));
  CHECK_FALSE(space.maps(1ull << 57));
  CHECK_FALSE(space.maps(1ull << 57 | 0x7fff'ffff'f000));
}

TEST_CASE("entries of a 64 KiB page may hold its address or each its part's") {
  Space space;
  for (std::uint64_t i = 0; i < 16; ++i) {
    space.tables.set(0x10000 + 4096 * i, 0,
                     (0x50000 + 4096 * i) | kAll | CASTOR_PTE_VALID | CASTOR_PTE_LEAF | CASTOR_PTE_BIG);
  }
  CHECK(space.walk(0x1abcd).target == 0x50000);
}

TEST_CASE("each right counts by itself; atomics need reading and writing too") {
  const std::pair<std::uint64_t, Access> rights[] = {
      {CASTOR_PTE_READ, Access::read}, {CASTOR_PTE_WRITE, Access::write}, {CASTOR_PTE_EXECUTE, Access::execute}};
  for (const auto& [bit, allowed] : rights) {
    Space space;
    space.tables.map(0x4000, 0x5000, bit, CASTOR_PAGE_4K);
    for (const Access access : {Access::read, Access::write, Access::execute, Access::atomic}) {
      CHECK(space.walk(0x4000).allows(access) == (access == allowed));
    }
  }
  Space space;
  space.tables.map(0x4000, 0x5000, CASTOR_PTE_ATOMIC, CASTOR_PAGE_4K);
  CHECK_FALSE(space.walk(0x4000).allows(Access::atomic));
  space.tables.map(0x4000, 0x5000, CASTOR_PTE_ATOMIC | CASTOR_PTE_READ | CASTOR_PTE_WRITE, CASTOR_PAGE_4K);
  CHECK(space.walk(0x4000).allows(Access::atomic));
}

TEST_CASE("malformed entries map nothing") {
  const std::uint64_t good = 0x5000 | kAll | CASTOR_PTE_VALID | CASTOR_PTE_LEAF;
  const auto at_level = [](int level, std::uint64_t entry) {
    Space space;
    space.tables.set(0x4000, level, entry);
    return space.maps(0x4000);
  };
  CHECK(at_level(0, good));
  CHECK_FALSE(at_level(0, good & ~CASTOR_PTE_VALID));
  CHECK_FALSE(at_level(0, good & ~CASTOR_PTE_LEAF));  // a table below the last level
  CHECK_FALSE(at_level(0, good | CASTOR_PTE_POISON));
  CHECK_FALSE(at_level(0, good | CASTOR_PTE_SPARSE));
  CHECK_FALSE(at_level(0, good | 1ull << 53));  // reserved
  CHECK_FALSE(at_level(0, good | 1ull << 63));
  CHECK_FALSE(at_level(0, good | 7ull << CASTOR_PTE_APERTURE_SHIFT));
  CHECK_FALSE(at_level(0, good | std::uint64_t{CASTOR_APERTURE_PEER} << CASTOR_PTE_APERTURE_SHIFT));
  CHECK_FALSE(at_level(0, (good & ~0xffff'f000ull) | 64ull << 20));  // past the end of memory
  CHECK_FALSE(at_level(1, good));                                    // 2 MiB page, misaligned
  CHECK(at_level(1, (good & ~0xffff'f000ull) | 0x20'0000));
  CHECK_FALSE(at_level(2, (good & ~0xffff'f000ull) | 0));                 // no 1 GiB pages
  CHECK_FALSE(at_level(3, CASTOR_PTE_VALID | 64ull << 20));               // a table past the end of memory
  CHECK_FALSE(at_level(3, CASTOR_PTE_VALID | 0x2000 | CASTOR_PTE_READ));  // rights in a table's entry
}

TEST_CASE("random tables and random words never crash the walk, and agree with a map") {
  std::mt19937_64 random(7);
  Space space;
  std::map<std::uint64_t, std::uint64_t> expected;
  for (unsigned i = 0; i < 2000; ++i) {
    const std::uint64_t page = (random() & 0x7fff'ffff'ffff) >> (random() % 30) & ~0xfffull;
    const std::uint64_t target = random() % (64u << 20) & ~0xfffull;
    if (space.tables.root() + 4096 <= target || target + 4096 <= space.tables.root()) {
      space.tables.map(page, target, kAll, CASTOR_PAGE_4K);
      expected[page] = target;
    }
  }
  for (const auto& [page, target] : expected) CHECK(space.walk(page + random() % 4096).target == target);

  DeviceMemory noise(1u << 20);
  for (std::uint64_t at = 0; at < noise.bytes(); at += 8)
    noise.store64(DevAddr{at}, random() & random() & 0x80f0'0000'000f'ffff);
  for (unsigned i = 0; i < 100000; ++i) {
    const Mapping mapping = gpu::walk(noise, DevAddr{random() % noise.bytes()}, VirtAddr{random() >> random() % 64});
    if (mapping.fault == FaultCause::none && !mapping.host) {
      CHECK(noise.contains(DevAddr{mapping.target}, mapping.page_bytes));
    }
  }
}

TEST_CASE("contexts are apart, and SMs get host pointers") {
  Space space;
  test::FakeHost host;
  Mmu mmu(space.memory, host, 4);
  TableBuilder other(space.memory, 0x200000);
  space.tables.map(0x4000, 0x9000, kAll, CASTOR_PAGE_4K);
  other.map(0x4000, 0xa000, CASTOR_PTE_READ, CASTOR_PAGE_4K);
  other.map(0x20'0000, 0x1'0000'0000, kAll | kHost, CASTOR_PAGE_2M);  // only 1 MiB of host memory is there
  const std::uint64_t context_table = 0x8000;
  space.memory.store64(DevAddr{context_table + 8}, space.tables.root() | 1);
  space.memory.store64(DevAddr{context_table + 16}, other.root() | 1);
  mmu.set_context_table(DevAddr{context_table});

  CHECK(mmu.port(1).translate(VirtAddr{0x4008}, Access::write).host == space.memory.at(DevAddr{0x9000}));
  CHECK(mmu.port(2).translate(VirtAddr{0x4008}, Access::read).host == space.memory.at(DevAddr{0xa000}));
  CHECK(mmu.port(2).translate(VirtAddr{0x4008}, Access::write).fault == FaultCause::permission);
  CHECK(mmu.port(3).translate(VirtAddr{0x4008}, Access::read).fault == FaultCause::illegal_address);
  CHECK(mmu.map(200, VirtAddr{0x4008}, Access::read).fault == FaultCause::illegal_address);

  const auto piece = mmu.port(2).translate(VirtAddr{0x20'5678}, Access::atomic);
  CHECK(piece.fault == FaultCause::none);
  CHECK(piece.page.value == 0x20'5000);
  CHECK(piece.page_bytes == CASTOR_PAGE_4K);
  CHECK(piece.host == host.direct(BusAddr{0x1'0000'5000}, 1));
  CHECK(mmu.port(2).translate(VirtAddr{0x30'0000}, Access::read).fault == FaultCause::illegal_address);
}
