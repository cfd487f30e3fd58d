// Page tables that the driver builds, walked by a reader of our own; allocator; random use.
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "tests/runtime/kmd/fake_machine.h"

#include "tests/support/catch.h"

using namespace castor::test;

namespace {

constexpr std::uint64_t kBase = 0x7f0000000000, kSpan = 1ull << 32;

struct Leaf {
  std::uint64_t target, page;
  unsigned aperture;
  bool read, write, execute, atomic;
};

/// The page-table format as gpu/abi/page_table.h states it, read again from scratch.
std::optional<Leaf> walk(const FakeMachine& machine, std::uint64_t root, std::uint64_t va) {
  std::uint64_t table = root;
  for (int level = 4; level >= 0; --level) {
    const std::uint64_t index = va >> (12 + 9 * level) & 511;
    std::uint64_t entry;
    std::memcpy(&entry, machine.memory.data() + table + index * 8, 8);
    if ((entry & 1) == 0) return std::nullopt;
    const std::uint64_t address = entry & 0x000ffffffffff000;
    if ((entry & 2) == 0) {
      REQUIRE((entry & ~(0x000ffffffffff000ull | 1)) == 0);
      table = address;
      continue;
    }
    REQUIRE(level <= 1);
    const bool big = (entry >> 52 & 1) != 0;
    const std::uint64_t page = level == 1 ? 2u << 20 : big ? 65536u : 4096u;
    if (level == 1) REQUIRE(address % page == 0);
    if (big) {  // all sixteen of the group agree
      for (std::uint64_t i = 0; i < 16; ++i) {
        std::uint64_t other;
        std::memcpy(&other, machine.memory.data() + table + ((index & ~15ull) + i) * 8, 8);
        REQUIRE((other & ~0x000ffffffffff000ull) == (entry & ~0x000ffffffffff000ull));
        REQUIRE((other & 0x000ffffffffff000ull & ~65535ull) == (address & ~65535ull));
      }
    }
    return Leaf{(address & ~(page - 1)) + (va & (page - 1)),
                page,
                static_cast<unsigned>(entry >> 2 & 7),
                (entry >> 5 & 1) != 0,
                (entry >> 6 & 1) != 0,
                (entry >> 7 & 1) != 0,
                (entry >> 8 & 1) != 0};
  }
  return std::nullopt;
}

struct World {
  FakeMachine machine;
  castor_kmd* kmd = nullptr;
  castor_kmd_context* context = nullptr;
  std::uint64_t root = 0;

  World() {
    REQUIRE(machine.open(&kmd) == 0);
    REQUIRE(castor_kmd_context_create(kmd, kBase, kSpan, &context) == 0);
    root = machine.messages.back().args[1];
  }
  ~World() {
    castor_kmd_close(kmd);
    CHECK(machine.allocations.empty());
  }
  std::uint64_t free_bytes() const {
    std::uint64_t free = 0, total = 0;
    castor_kmd_memory_info(kmd, &free, &total);
    return free;
  }
  std::optional<Leaf> at(std::uint64_t va) const { return walk(machine, root, va); }
};

}  // namespace

TEST_CASE("an allocation is mapped from its first to its last page and not beyond") {
  World world;
  for (const std::uint64_t bytes : {1ull, 4096ull, 5000ull, 65536ull, 100000ull, 2097152ull, 5ull << 20}) {
    std::uint64_t va = 0;
    REQUIRE(castor_kmd_memory_alloc(world.context, bytes, CASTOR_KMD_DATA, &va) == 0);
    CHECK(va >= kBase);
    CHECK(va + bytes <= kBase + kSpan);
    const auto first = world.at(va);
    REQUIRE(first);
    CHECK(first->aperture == 0);
    CHECK((first->read && first->write && first->atomic && !first->execute));
    REQUIRE(world.at(va + bytes - 1));
    const std::uint64_t granule = bytes >= (2u << 20) ? 65536 : 4096;
    CHECK(!world.at((va + bytes + granule - 1) / granule * granule));
    CHECK(first->page == (bytes >= (2u << 20) ? 2u << 20 : bytes >= 65536 ? 65536u : 4096u));
    REQUIRE(castor_kmd_memory_free(world.context, va) == 0);
    CHECK(!world.at(va));
  }
}

TEST_CASE("freeing invalidates translations, and only then gives the memory back") {
  World world;
  std::uint64_t va = 0;
  REQUIRE(castor_kmd_memory_alloc(world.context, 65536, CASTOR_KMD_DATA, &va) == 0);
  const std::uint64_t before = world.free_bytes();
  bool memory_was_free = true;
  world.machine.answers = [&](const castor_message& message) {
    if (message.function == CASTOR_MSG_TLB_INVALIDATE) memory_was_free = world.free_bytes() >= before + 65536;
    return true;
  };
  REQUIRE(castor_kmd_memory_free(world.context, va) == 0);
  CHECK(!memory_was_free);
  CHECK(world.machine.messages.back().function == CASTOR_MSG_TLB_INVALIDATE);
  CHECK(world.machine.messages.back().args[1] == va);
  CHECK(world.machine.messages.back().args[2] == 65536);
  CHECK(castor_kmd_memory_free(world.context, va) == CASTOR_KMD_ENOENT);
}

TEST_CASE("access of single pages in the middle of large ones can be changed") {
  World world;
  std::uint64_t va = 0;
  constexpr std::uint64_t kBytes = 4u << 20;
  REQUIRE(castor_kmd_memory_alloc(world.context, kBytes, CASTOR_KMD_DATA, &va) == 0);
  std::map<std::uint64_t, std::uint64_t> targets;
  for (std::uint64_t at = 0; at < kBytes; at += 4096) targets[at] = world.at(va + at)->target;
  constexpr std::uint64_t kFrom = 5 * 4096, kTo = (2u << 20) + 17 * 4096;
  REQUIRE(castor_kmd_memory_protect(world.context, va + kFrom, kTo - kFrom, CASTOR_KMD_READ | CASTOR_KMD_EXECUTE) == 0);
  for (std::uint64_t at = 0; at < kBytes; at += 4096) {
    const auto leaf = world.at(va + at);
    REQUIRE(leaf);
    REQUIRE(leaf->target == targets[at]);
    REQUIRE(leaf->execute == (at >= kFrom && at < kTo));
    REQUIRE(leaf->write == !(at >= kFrom && at < kTo));
  }
  CHECK(castor_kmd_memory_protect(world.context, va, kBytes + (1u << 20), CASTOR_KMD_READ) == CASTOR_KMD_ENOENT);
  CHECK(castor_kmd_memory_protect(world.context, va + 1, 4096, CASTOR_KMD_READ) == CASTOR_KMD_EINVAL);
  REQUIRE(castor_kmd_memory_free(world.context, va) == 0);
}

TEST_CASE("host pages are mapped at the client's address, neighbours or not") {
  World world;
  world.machine.pins[9] = {0x10000000, 0x10001000, 0x20000000, 0x20001000, 0x20002000};
  constexpr std::uint64_t kHost = 0x555500001000;
  REQUIRE(castor_kmd_map_host(world.context, 9, kHost, 5 * 4096, CASTOR_KMD_DATA) == 0);
  for (std::uint64_t page = 0; page < 5; ++page) {
    const auto leaf = world.at(kHost + page * 4096 + 12);
    REQUIRE(leaf);
    CHECK(leaf->aperture == CASTOR_APERTURE_HOST_COHERENT);
    CHECK(leaf->target == world.machine.pins[9][page] + 12);
  }
  CHECK(castor_kmd_map_host(world.context, 9, kHost + 4096, 4096, CASTOR_KMD_DATA) == CASTOR_KMD_EBUSY);
  CHECK(castor_kmd_map_host(world.context, 9, kHost + (1 << 20), 6 * 4096, CASTOR_KMD_DATA) == CASTOR_KMD_ENOENT);
  CHECK(!world.at(kHost + (1 << 20)));
  CHECK(castor_kmd_map_host(world.context, 9, 1ull << 47, 4096, CASTOR_KMD_DATA) == CASTOR_KMD_EINVAL);
  CHECK(castor_kmd_map_host(world.context, 9, ~0xfffull, 4096, CASTOR_KMD_DATA) == CASTOR_KMD_EINVAL);
  REQUIRE(castor_kmd_memory_free(world.context, kHost) == 0);
  CHECK(!world.at(kHost));
}

TEST_CASE("all memory can be allocated, in pieces if need be, and comes back") {
  World world;
  const std::uint64_t at_start = world.free_bytes();
  std::vector<std::uint64_t> pieces;
  std::uint64_t va = 0;
  while (castor_kmd_memory_alloc(world.context, 1u << 20, CASTOR_KMD_DATA, &va) == 0) pieces.push_back(va);
  CHECK(pieces.size() >= 61);  // of 63 MiB; tables take the rest
  CHECK(castor_kmd_memory_alloc(world.context, 4u << 20, CASTOR_KMD_DATA, &va) == CASTOR_KMD_ENOMEM);
  for (std::size_t i = 0; i < pieces.size(); i += 2) REQUIRE(castor_kmd_memory_free(world.context, pieces[i]) == 0);
  // No hole is larger than 1 MiB, and yet there are 16 MiB to be had.
  REQUIRE(castor_kmd_memory_alloc(world.context, 16u << 20, CASTOR_KMD_DATA, &va) == 0);
  std::set<std::uint64_t> seen;
  for (std::uint64_t at = 0; at < 16u << 20; at += 4096) {
    const auto leaf = world.at(va + at);
    REQUIRE(leaf);
    REQUIRE(seen.insert(leaf->target / 4096).second);
  }
  REQUIRE(castor_kmd_memory_free(world.context, va) == 0);
  for (std::size_t i = 1; i < pieces.size(); i += 2) REQUIRE(castor_kmd_memory_free(world.context, pieces[i]) == 0);
  CHECK(world.free_bytes() == at_start);
}

TEST_CASE("random allocations, frees and protections agree with a model, and nothing leaks") {
  World world;
  const std::uint64_t at_start = world.free_bytes();
  std::mt19937_64 random(20261201);
  struct Block {
    std::uint64_t bytes;
    std::map<std::uint64_t, std::uint64_t> pages;  // offset → target
  };
  std::map<std::uint64_t, Block> blocks;
  std::set<std::uint64_t> used;  // device pages
  for (int step = 0; step < 600; ++step) {
    if (blocks.empty() || random() % 3 != 0) {
      const std::uint64_t bytes = 1 + random() % (random() % 4 == 0 ? 3u << 20 : 90000);
      std::uint64_t va = 0;
      if (castor_kmd_memory_alloc(world.context, bytes, CASTOR_KMD_DATA, &va) != 0) continue;
      Block block{bytes, {}};
      for (std::uint64_t at = 0; at < bytes; at += 4096) {
        const auto leaf = world.at(va + at);
        REQUIRE(leaf);
        REQUIRE(leaf->target >= FakeMachine::kFirmwareBytes);
        REQUIRE(leaf->target < FakeMachine::kMemoryBytes);
        REQUIRE(used.insert(leaf->target / 4096).second);
        block.pages[at] = leaf->target;
      }
      for (const auto& [other, its] : blocks) REQUIRE((va + bytes < other || other + its.bytes < va));
      blocks[va] = std::move(block);
      continue;
    }
    auto victim = std::next(blocks.begin(), static_cast<std::ptrdiff_t>(random() % blocks.size()));
    for (const auto& [at, target] : victim->second.pages) {
      REQUIRE(world.at(victim->first + at)->target == target);  // nobody has disturbed it
      used.erase(target / 4096);
    }
    REQUIRE(castor_kmd_memory_free(world.context, victim->first) == 0);
    REQUIRE(!world.at(victim->first));
    blocks.erase(victim);
  }
  for (const auto& [va, block] : blocks) REQUIRE(castor_kmd_memory_free(world.context, va) == 0);
  CHECK(world.free_bytes() == at_start);
}

TEST_CASE("a context's end gives everything back, on a lost device too") {
  FakeMachine machine;
  castor_kmd* kmd = nullptr;
  REQUIRE(machine.open(&kmd) == 0);
  std::uint64_t before = 0, after = 0, total = 0;
  castor_kmd_memory_info(kmd, &before, &total);
  for (const bool lose : {false, true}) {
    castor_kmd_context* context = nullptr;
    REQUIRE(castor_kmd_context_create(kmd, kBase, kSpan, &context) == 0);
    machine.pins[1] = {0x1000};
    std::uint64_t va = 0;
    std::uint32_t queue = 0;
    REQUIRE(castor_kmd_map_host(context, 1, 0x400000, 4096, CASTOR_KMD_DATA) == 0);
    for (int i = 0; i < 20; ++i) REQUIRE(castor_kmd_memory_alloc(context, 70000, CASTOR_KMD_DATA, &va) == 0);
    REQUIRE(castor_kmd_queue_create(context, 0x400000, 16, 0x400400, &queue) == 0);
    if (lose) machine.answers = [](const castor_message&) { return false; };
    castor_kmd_context_destroy(context);
    castor_kmd_memory_info(kmd, &after, &total);
    CHECK(after == before);
  }
  castor_kmd_close(kmd);
  CHECK(machine.allocations.empty());
}

TEST_CASE("running out of host memory in the middle of an allocation undoes it") {
  World world;
  std::uint64_t va = 0;
  const std::uint64_t before = world.free_bytes();
  for (std::size_t left = 0; left < 12; ++left) {
    world.machine.host_allocations_left = left;
    const int error = castor_kmd_memory_alloc(world.context, 3u << 20, CASTOR_KMD_DATA, &va);
    world.machine.host_allocations_left = ~std::size_t{0};
    if (error == 0) {
      CHECK(castor_kmd_memory_free(world.context, va) == 0);
    } else {
      CHECK(error == CASTOR_KMD_ENOMEM);
    }
    CHECK(world.free_bytes() == before);
  }
  CHECK(castor_kmd_memory_alloc(world.context, 0, CASTOR_KMD_DATA, &va) == CASTOR_KMD_EINVAL);
  CHECK(castor_kmd_memory_alloc(world.context, ~0ull, CASTOR_KMD_DATA, &va) == CASTOR_KMD_ENOMEM);
}
