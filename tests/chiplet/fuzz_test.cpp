// No access and no packet crashes the device or disturbs another context. A fixed seed, so that a failure repeats.
#include <cstring>
#include <random>

#include "gpu/abi/register_view.h"
#include "tests/chiplet/workload.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::test;

namespace {

bool alive(TestDriver& driver) {
  const auto pong = driver.message(CASTOR_MSG_PING, {42});
  return pong.status == 0 && pong.args[0] == 42;
}

}  // namespace

TEST_CASE("random packets end in a completion or a fault, and leave a bystander alone") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    driver.boot();
    Client bystander(driver, 1, 4);
    std::mt19937_64 random(11);
    for (unsigned turn = 0; turn < 300; ++turn) {
      Client client(driver, 2, 5);
      const auto kernel = client.load(kernel_image({"jalr zero, 0(ra)"}), 0);
      for (unsigned i = 0; i < 6; ++i) {
        std::array<std::uint64_t, 8> packet{};
        for (auto& word : packet) {
          const std::uint64_t choices[] = {random(),
                                           random() % 64,
                                           kernel,
                                           Client::kHost + random() % 0x10000 / 8 * 8,
                                           Client::kDevice + random() % CASTOR_PAGE_2M,
                                           0x0001'0001'0001'0001ull,
                                           0};
          word = choices[random() % std::size(choices)];
        }
        if (random() % 8 != 0) packet[0] = (packet[0] & ~0xffffffffull) | random() % 8 | (random() % 32) << 8;
        driver.push(client.queue, packet.data());
      }
      driver.ring(client.queue);
      driver.bench.wait_ns(20000);
      REQUIRE(driver.message(CASTOR_MSG_CONTEXT_DESTROY, {2}).status == 0);
    }
    CHECK(alive(driver));
    CHECK(bystander.finish(copy_packet(Client::kHost + 8, Client::kHost, 8)));
    CHECK(bystander.error() == 0);
    REQUIRE(driver.message(CASTOR_MSG_CONTEXT_DESTROY, {1}).status == 0);
  });
}

TEST_CASE("random messages get an answer") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    driver.boot();
    std::mt19937_64 random(12);
    for (unsigned turn = 0; turn < 500; ++turn) {
      std::vector<std::uint64_t> args;
      for (unsigned i = 0; i < 6; ++i)
        args.push_back(random() % 2 == 0 ? random() % 20 : random() >> random() % 64 & ~0xfffull);
      driver.message(static_cast<std::uint16_t>(random() % 10), args);
    }
    CHECK(alive(driver));
  });
}

TEST_CASE("random register accesses change nothing that a reset does not mend") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    std::mt19937_64 random(13);
    Bench& bench = driver.bench;
    for (unsigned turn = 0; turn < 200000; ++turn) {
      // mostly near the blocks, sometimes anywhere; any size, any alignment
      std::uint64_t offset = random() % CASTOR_BAR0_BYTES;
      if (random() % 8 != 0) offset = driver.base(1 + random() % 3 * 2) + random() % 0x80 / 4 * 4;
      if (random() % 4 == 0) offset = (random() % 16 << 16) + random() % 0x100 / 4 * 4;
      std::array<std::uint8_t, 16> data{};
      const std::size_t bytes = random() % 8 == 0 ? 1 + random() % 16 : 4;
      const std::uint64_t value = random() % 2 == 0 ? random() % 8 : random();
      std::memcpy(data.data(), &value, sizeof value);
      bench.access(random() % 16 == 0 ? 2 : 0, random() % 2 == 0,
                   offset % (16 * CASTOR_DOORBELL_PAGE * (1 + random() % 2)), data.data(), bytes);
    }
    CHECK(bench.read32(CASTOR_BOOT_HOLE) == 1);
    CHECK(bench.read32(CASTOR_BOOT_HOLE_COUNT) > 0);
    bench.write32(CASTOR_BOOT_RESET, 1);
    REQUIRE(bench.wait_until([&] { return bench.read32(CASTOR_BOOT_HOLE) == 0; }));
    bench.wait_ns(1e6);
    for (const auto& block : gpu::reg::kBlocks) {
      if (block.type != CASTOR_BLOCK_MMU && block.type != CASTOR_BLOCK_HOST && block.type != CASTOR_BLOCK_INTR)
        continue;
      for (const RegisterDef& def : block.registers) {
        INFO(block.name << "." << def.name);
        if (def.name == "QUEUES" || def.name == "CONTEXTS" || def.name == "PACKETS" || def.name == "WALKS") continue;
        if (def.access != RegisterAccess::wo) CHECK(bench.read32(driver.base(block.type) + def.offset) == def.reset);
      }
    }
    TestDriver again(bench);
    again.boot();
    CHECK(alive(again));
  });
}

TEST_CASE("holes read all ones, are counted, and raise one interrupt until they are acknowledged") {
  Bench::get().run([] {
    TestDriver driver(Bench::get());
    driver.boot();
    Bench& bench = driver.bench;
    bench.read32(CASTOR_BOOT_HOLE_COUNT);
    bench.write32(CASTOR_BOOT_HOLE, 1);
    bench.interrupts.clear();
    CHECK(bench.read32(0xfffffc) == ~0u);
    bench.write32(0xfffff8, 1);
    CHECK(bench.read32(CASTOR_BOOT_HOLE) == 1);
    CHECK(bench.read32(CASTOR_BOOT_HOLE_OFFSET) == 0xfffffc);
    CHECK(bench.read32(CASTOR_BOOT_HOLE_COUNT) == 2);
    CHECK(bench.read32(CASTOR_BOOT_HOLE_COUNT) == 0);
    CHECK(bench.wait_interrupt(CASTOR_VECTOR_DEVICE));
    bench.wait_ns(1000);
    CHECK(bench.interrupts.empty());
    bench.write32(CASTOR_BOOT_HOLE, 1);
    CHECK(bench.read32(CASTOR_BOOT_HOLE) == 0);
  });
}

TEST_CASE("a device reset with work in flight leaves a device that boots") {
  Bench::get().run([] {
    for (unsigned turn = 0; turn < 5; ++turn) {
      TestDriver driver(Bench::get());
      driver.boot();
      Client client(driver, 3, 4);
      auto endless = dispatch_packet(client.load(kernel_image({"jal zero, 0"}), 0), 1000, 64, 0);
      const auto copy = copy_packet(Client::kDevice + 4096, Client::kDevice + 1024 * 1024, 1000 * 1024);
      client.driver.push(client.queue, &endless);
      client.driver.push(client.queue, &copy);
      driver.ring(client.queue);
      driver.bench.wait_ns(1000 + 3000 * turn);
      driver.bench.write32(CASTOR_BOOT_SCRATCH, 7);
      driver.bench.write32(CASTOR_BOOT_RESET, 1);
      REQUIRE(driver.bench.wait_until([&] { return driver.bench.read32(CASTOR_BOOT_SCRATCH) == 0; }));
      CHECK(driver.reg(CASTOR_BLOCK_DISPATCH, CASTOR_DISPATCH_STATUS) == 0);
      CHECK(driver.reg(CASTOR_BLOCK_CE, CASTOR_CE_STATUS) == 0);
    }
    TestDriver driver(Bench::get());
    driver.boot();
    CHECK(alive(driver));
  });
}
