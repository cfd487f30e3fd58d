// User queues end to end: copies, fills, semaphores, time stamps, kernels, completion words, interrupts.
#include <cstring>
#include <random>

#include "tests/chiplet/workload.h"
#include "tests/support/catch.h"

using namespace castor;
using namespace castor::test;

namespace {

/// Boots the firmware once; later cases make contexts of their own.
TestDriver& machine() {
  static TestDriver* driver = [] {
    auto* d = new TestDriver(Bench::get());
    d->boot();
    return d;
  }();
  return *driver;
}

}  // namespace

TEST_CASE("copies go both ways and are exact") {
  Bench::get().run([] {
    Client client(machine(), 1, 4);
    std::mt19937 random(1);
    std::vector<std::uint8_t> data(20000);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    std::memcpy(client.driver.bench.host(client.host_bus + 3), data.data(), data.size());
    REQUIRE(client.finish(copy_packet(Client::kDevice + 1001, Client::kHost + 3, data.size())));
    std::vector<std::uint8_t> there(data.size());
    client.driver.read_device(client.device_address + 1001, there.data(), there.size());
    CHECK(there == data);
    REQUIRE(client.finish(copy_packet(Client::kDevice + 300000, Client::kDevice + 1001, data.size())));
    REQUIRE(client.finish(copy_packet(Client::kHost + 30001, Client::kDevice + 300000, data.size())));
    CHECK(std::memcmp(client.driver.bench.host(client.host_bus + 30001), data.data(), data.size()) == 0);
    CHECK(client.driver.bench.word(client.queue.page_bus + offsetof(castor_queue_page, get)) == 3);
  });
}

TEST_CASE("a two-dimensional copy moves rows and leaves what is between them") {
  Bench::get().run([] {
    Client client(machine(), 2, 4);
    for (unsigned i = 0; i < 0x8000; ++i)
      *client.driver.bench.host(client.host_bus + i) = static_cast<std::byte>(i * 7);
    castor_packet_fill fill{};
    fill.header = CASTOR_PACKET_FILL;
    fill.element_bytes = 1;
    fill.destination = Client::kDevice;
    fill.row_bytes = fill.pitch = 0x8000;
    fill.rows = 1;
    fill.value = 0xee;
    REQUIRE(client.finish(fill));
    auto packet = copy_packet(Client::kDevice + 5, Client::kHost + 2, 33);
    packet.rows = 50;
    packet.source_pitch = 100;
    packet.destination_pitch = 200;
    REQUIRE(client.finish(packet));
    std::vector<std::uint8_t> there(0x8000);
    client.driver.read_device(client.device_address, there.data(), there.size());
    bool right = true;
    for (unsigned at = 0; at < there.size(); ++at) {
      const unsigned row = (at - 5) / 200, column = (at - 5) % 200;
      const bool inside = at >= 5 && row < 50 && column < 33;
      right &= there[at] == (inside ? static_cast<std::uint8_t>((2 + row * 100 + column) * 7) : 0xee);
    }
    CHECK(right);
  });
}

TEST_CASE("fills repeat elements of 1, 2 and 4 bytes") {
  Bench::get().run([] {
    Client client(machine(), 3, 4);
    for (const unsigned size : {1u, 2u, 4u}) {
      castor_packet_fill fill{};
      fill.header = CASTOR_PACKET_FILL;
      fill.element_bytes = size;
      fill.destination = Client::kHost + size;
      fill.row_bytes = 5000 * size;
      fill.pitch = 5200 * size;
      fill.rows = 2;
      fill.value = 0x84c2a1b3;
      REQUIRE(client.finish(fill));
      bool right = true;
      for (unsigned row = 0; row < 2; ++row) {
        for (unsigned at = 0; at < 5000 * size; ++at) {
          const auto byte = *client.driver.bench.host(client.host_bus + size + row * 5200 * size + at);
          right &= byte == static_cast<std::byte>(0x84c2a1b3u >> 8 * (at % size));
        }
      }
      CHECK(right);
    }
  });
}

TEST_CASE("a queue that waits holds up no other, and the wait ends with a signal of another queue or of the host") {
  Bench::get().run([] {
    Client client(machine(), 4, 5);
    auto other = client.driver.make_queue(client.context, Client::kQueue + 0x10000, 6);
    const auto wait = semaphore_packet(CASTOR_PACKET_SEMAPHORE_WAIT, Client::kHost + 0x100, 5);
    auto after = copy_packet(Client::kHost + 0x200, Client::kHost + 0x300, 8);
    client.host_word(0x300) = 77;
    client.submit(&wait);
    client.submit(&after);
    auto stamp = semaphore_packet(CASTOR_PACKET_TIMESTAMP, Client::kHost + 0x400, 0);
    client.driver.push(other, &stamp);
    client.driver.ring(other);
    REQUIRE(client.driver.bench.wait_until([&] { return client.host_word(0x400) != 0; }));
    CHECK(client.host_word(0x200) == 0);
    SECTION("another queue") {
      const auto signal = semaphore_packet(CASTOR_PACKET_SEMAPHORE_SIGNAL, Client::kHost + 0x100, 6);
      client.driver.push(other, &signal);
      client.driver.ring(other);
    }
    SECTION("the host") { __atomic_store_n(&client.host_word(0x100), 5, __ATOMIC_RELEASE); }
    CHECK(client.driver.bench.wait_until([&] { return client.host_word(0x200) == 77; }));
    CHECK(client.driver.message(CASTOR_MSG_CONTEXT_DESTROY, {4}).status == 0);
  });
}

TEST_CASE("packets with INTERRUPT raise their queue's vector after the signal") {
  Bench::get().run([] {
    Client client(machine(), 5, 9);
    client.driver.bench.interrupts.clear();
    auto packet = semaphore_packet(CASTOR_PACKET_SEMAPHORE_SIGNAL, Client::kHost, 1);
    packet.header |= CASTOR_PACKET_INTERRUPT | CASTOR_PACKET_BARRIER;
    REQUIRE(client.finish(packet));
    CHECK(client.driver.bench.wait_interrupt(9));
  });
}

TEST_CASE("time stamps do not go back, and follow the time in the doorbell page") {
  Bench::get().run([] {
    Client client(machine(), 6, 4);
    REQUIRE(client.finish(semaphore_packet(CASTOR_PACKET_TIMESTAMP, Client::kHost, 0)));
    REQUIRE(client.finish(semaphore_packet(CASTOR_PACKET_TIMESTAMP, Client::kHost + 8, 0)));
    CHECK(client.host_word(8) >= client.host_word(0));
    std::uint64_t now = 0;
    client.driver.bench.access(2, false, 6 * CASTOR_DOORBELL_PAGE + CASTOR_DOORBELL_TIME, &now, 8);
    CHECK(now >= client.host_word(8));
  });
}

TEST_CASE("a kernel runs over all its threads on SMs of both dies") {
  Bench::get().run([] {
    Client client(machine(), 7, 4);
    // out[ctaid * ntid + tid] = ctaid + 1000 * tid; out is the first parameter
    const auto kernel = client.load(kernel_image({
                                        "ld a1, 0(a0)",
                                        "csrrs a2, 0xcc6, zero",  // ctaid.x
                                        "csrrs a3, 0xcc3, zero",  // ntid.x
                                        "csrrs a4, 0xcc0, zero",  // tid.x
                                        "mul a5, a2, a3",
                                        "add a5, a5, a4",
                                        "sh2add a1, a5, a1",
                                        "addi a6, zero, 1000",
                                        "mul a6, a6, a4",
                                        "add a6, a6, a2",
                                        "sw a6, 0(a1)",
                                        "jalr zero, 0(ra)",
                                    }),
                                    0);
    const std::uint64_t out = Client::kDevice + 0x100000, params = Client::kDevice + 0x1000;
    client.driver.write_device(client.device_address + 0x1000, &out, 8);
    REQUIRE(client.finish(dispatch_packet(kernel, 500, 96, params)));
    std::vector<std::uint32_t> result(500 * 96);
    client.driver.read_device(client.device_address + 0x100000, result.data(), 4 * result.size());
    bool right = true;
    for (unsigned i = 0; i < result.size(); ++i) right &= result[i] == i / 96 + 1000 * (i % 96);
    CHECK(right);
    CHECK(client.driver.reg(CASTOR_BLOCK_DISPATCH, CASTOR_DISPATCH_CTAS_LO) >= 500);
  });
}
