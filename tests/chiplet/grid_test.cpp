// The dispatcher as a queue sees it: huge grids, several at once, cooperative ones, shared memory.
#include <chrono>
#include <cstring>

#include "tests/chiplet/workload.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::test;

namespace {

TestDriver& machine() {
  static TestDriver* driver = [] {
    auto* d = new TestDriver(Bench::get());
    d->boot();
    return d;
  }();
  return *driver;
}

void destroy(Client& client) {
  CHECK(client.driver.message(CASTOR_MSG_CONTEXT_DESTROY, {client.context.pasid}).status == 0);
}

// Adds 1 to the word that the first parameter points to, once a thread.
std::vector<std::uint8_t> count_kernel() {
  return kernel_image({"ld a1, 0(a0)", "addi a2, zero, 1", "amoadd.w zero, a2, (a1)", "jalr zero, 0(ra)"});
}

}  // namespace

TEST_CASE("a grid of a million CTAs is cheap") {
  Bench::get().run([] {
    Client client(machine(), 1, 4);
    const auto kernel = client.load(kernel_image({"jalr zero, 0(ra)"}), 0);
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(client.finish(dispatch_packet(kernel, 1'000'000, 32, 0)));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    WARN("a million empty CTAs: " << took.count() << " ms");
    CHECK(took.count() < 20000);
    destroy(client);
  });
}

TEST_CASE("every thread of every CTA runs once, whatever the shape") {
  Bench::get().run([] {
    Client client(machine(), 2, 4);
    const auto kernel = client.load(count_kernel(), 0);
    client.host_word(0) = Client::kHost + 64;
    std::uint32_t expected = 0;
    for (const std::array<unsigned, 6>& shape : {std::array{1u, 1u, 1u, 1u, 1u, 1u},
                                                 {7u, 5u, 3u, 33u, 1u, 1u},
                                                 {1u, 65u, 2u, 5u, 7u, 3u},
                                                 {3u, 1u, 1u, 1u, 1u, 64u}}) {
      auto packet = dispatch_packet(kernel, 1, 1, Client::kHost);
      for (unsigned i = 0; i < 3; ++i) {
        packet.grid[i] = shape[i];
        packet.block[i] = static_cast<std::uint16_t>(shape[3 + i]);
      }
      expected += shape[0] * shape[1] * shape[2] * shape[3] * shape[4] * shape[5];
      REQUIRE(client.finish(packet));
      CHECK(static_cast<std::uint32_t>(client.host_word(64)) == expected);
    }
    destroy(client);
  });
}

TEST_CASE("a kernel may wait for another that was launched after it") {
  Bench::get().run([] {
    Client client(machine(), 3, 4);
    // spins until the word is not zero, then adds 1 to it
    const auto waiter = client.load(kernel_image({"ld a1, 0(a0)", "lw a2, 0(a1)", "beq a2, zero, -4",
                                                  "addi a2, zero, 1", "amoadd.w zero, a2, (a1)", "jalr zero, 0(ra)"}),
                                    0);
    const auto counter = client.load(count_kernel(), 4096);
    client.host_word(0) = Client::kDevice + 0x10000;
    auto waiting = dispatch_packet(waiter, 40, 1, Client::kHost);
    client.submit(&waiting);
    REQUIRE(client.finish(dispatch_packet(counter, 1, 1, Client::kHost)));
    auto last = semaphore_packet(CASTOR_PACKET_NOP, 0, 0);
    last.header |= CASTOR_PACKET_BARRIER;
    REQUIRE(client.finish(last));
    std::uint32_t count = 0;
    client.driver.read_device(client.device_address + 0x10000, &count, 4);
    CHECK(count == 41);
    destroy(client);
  });
}

TEST_CASE("all CTAs of a cooperative grid meet") {
  Bench::get().run([] {
    Client client(machine(), 4, 4);
    // counts itself, then spins until as many have as the second parameter says
    const auto kernel =
        client.load(kernel_image({"ld a1, 0(a0)", "lw a3, 8(a0)", "addi a2, zero, 1", "amoadd.w zero, a2, (a1)",
                                  "lw a4, 0(a1)", "blt a4, a3, -4", "jalr zero, 0(ra)"}),
                    0);
    const std::uint32_t ctas = 4 * 24;  // four SMs of 24 CTA slots
    client.host_word(0) = Client::kDevice + 0x10000;
    client.host_word(8) = ctas;
    auto packet = dispatch_packet(kernel, ctas, 1, Client::kHost);
    packet.header |= CASTOR_PACKET_COOPERATIVE;
    REQUIRE(client.finish(packet));
    destroy(client);
  });
}

TEST_CASE("each CTA has its own shared memory") {
  Bench::get().run([] {
    Client client(machine(), 5, 4);
    // shared[0] = ctaid; out[ctaid] = shared[0] after a while
    const auto kernel = client.load(kernel_image(
                                        {
                                            "ld a1, 0(a0)",
                                            "csrrs a2, 0xcc6, zero",
                                            "sw a2, 16(tp)",
                                            "addi a3, zero, 1000",
                                            "addi a3, a3, -1",
                                            "bne a3, zero, -4",
                                            "lw a4, 16(tp)",
                                            "sh2add a1, a2, a1",
                                            "sw a4, 0(a1)",
                                            "jalr zero, 0(ra)",
                                        },
                                        64),
                                    0);
    client.host_word(0) = Client::kDevice + 0x10000;
    REQUIRE(client.finish(dispatch_packet(kernel, 300, 1, Client::kHost)));
    std::vector<std::uint32_t> out(300);
    client.driver.read_device(client.device_address + 0x10000, out.data(), 4 * out.size());
    for (std::uint32_t i = 0; i < out.size(); ++i) CHECK(out[i] == i);
    destroy(client);
  });
}

TEST_CASE("time passes for a kernel that watches the clock, and stamps around it differ") {
  Bench::get().run([] {
    Client client(machine(), 6, 4);
    // waits until globaltimer has moved on by 10 us
    const auto kernel = client.load(kernel_image({"csrrs a1, 0xcd8, zero", "lui a3, 2", "add a1, a1, a3",
                                                  "csrrs a2, 0xcd8, zero", "bltu a2, a1, -4", "jalr zero, 0(ra)"}),
                                    0);
    auto before = semaphore_packet(CASTOR_PACKET_TIMESTAMP, Client::kHost, 0);
    client.submit(&before);
    auto packet = dispatch_packet(kernel, 1, 32, 0);
    packet.header |= CASTOR_PACKET_BARRIER;
    client.submit(&packet);
    REQUIRE(client.finish(semaphore_packet(CASTOR_PACKET_TIMESTAMP, Client::kHost + 8, 0)));
    CHECK(client.host_word(8) - client.host_word(0) >= 8192);
    destroy(client);
  });
}

TEST_CASE("a context whose endless kernels fill every SM does not keep others from running") {
  Bench::get().run([] {
    Client greedy(machine(), 7, 4), modest(machine(), 8, 5);
    auto endless = dispatch_packet(greedy.load(kernel_image({"jal zero, 0"}), 0), 100'000, 1024, 0);
    greedy.submit(&endless);
    greedy.driver.bench.wait_until([] { return false; }, 200);  // time to fill the device
    const auto kernel = modest.load(count_kernel(), 0);
    modest.host_word(0) = Client::kHost + 64;
    REQUIRE(modest.finish(dispatch_packet(kernel, 8, 1024, Client::kHost)));
    CHECK(static_cast<std::uint32_t>(modest.host_word(64)) == 8 * 1024);
    CHECK(greedy.error() == 0);
    destroy(greedy);
    destroy(modest);
  });
}
