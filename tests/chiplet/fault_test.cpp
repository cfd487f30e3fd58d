// Faults stop the offending context alone, leave a record and reach the driver; the context can be reset or destroyed.
#include <cstring>

#include "platform/core/fault.h"
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

/// Stores tid to the address in the first parameter, in every thread.
std::vector<std::uint8_t> store_kernel() {
  return kernel_image({"ld a1, 0(a0)", "csrrs a4, 0xcc0, zero", "sw a4, 0(a1)", "jalr zero, 0(ra)"});
}

std::vector<std::uint8_t> endless_kernel() { return kernel_image({"jal zero, 0"}); }

void destroy(Client& client) {
  CHECK(client.driver.message(CASTOR_MSG_CONTEXT_DESTROY, {client.context.pasid}).status == 0);
}

/// Runs `packet` in a new context, expects one fault record, and checks that another context is not disturbed.
template <class Packet>
castor_fault_record expect_fault(std::uint16_t pasid, const std::function<Packet(Client&)>& make) {
  TestDriver& driver = machine();
  Client good(driver, 14, 4), bad(driver, pasid, 5);
  driver.take_faults();
  driver.bench.interrupts.clear();
  const auto spin = good.load(endless_kernel(), 0);
  auto endless = dispatch_packet(spin, 1, 32, 0);
  good.submit(&endless);
  CHECK_FALSE(bad.finish(make(bad)));
  CHECK(driver.bench.wait_interrupt(CASTOR_VECTOR_FATAL_FAULT));
  const auto records = driver.take_faults();
  REQUIRE(records.size() == 1);
  CHECK(records[0].context == pasid);
  CHECK(bad.error() == records[0].cause);
  CHECK(good.error() == 0);
  CHECK(good.finish(copy_packet(Client::kHost + 64, Client::kHost, 8)));  // overlaps its endless kernel
  destroy(bad);
  destroy(good);
  return records[0];
}

}  // namespace

TEST_CASE("a store outside all allocations stops the context and names thread and address") {
  Bench::get().run([] {
    const auto record = expect_fault<castor_packet_dispatch>(1, [](Client& client) {
      const auto kernel = client.load(store_kernel(), 0);
      client.host_word(0) = Client::kDevice + CASTOR_PAGE_2M + 8;
      return dispatch_packet(kernel, 3, 64, Client::kHost);
    });
    CHECK(record.cause == static_cast<std::uint8_t>(FaultCause::illegal_address));
    CHECK(record.access == static_cast<std::uint8_t>(Access::write));
    CHECK(record.engine == CASTOR_FAULT_SM);
    CHECK(record.address == Client::kDevice + CASTOR_PAGE_2M + 8);
    CHECK(record.pc == Client::kDevice + sizeof(castor_kernel_desc) + 8);
    CHECK(record.kernel == Client::kDevice);
    CHECK(record.size == 4);
    CHECK(record.block[0] < 3);
    CHECK(record.thread[0] % 32 == 0);
    CHECK(record.lanes == 0xffffffff);
  });
}

TEST_CASE("bad packets are faults with their reason") {
  Bench::get().run([] {
    const auto problem = [](const std::function<castor_packet_dispatch(Client&)>& make) {
      const auto record = expect_fault<castor_packet_dispatch>(2, make);
      CHECK(record.cause == static_cast<std::uint8_t>(FaultCause::invalid_packet));
      CHECK(record.engine == CASTOR_FAULT_HOST);
      return record.detail;
    };
    const auto with = [&](auto change) {
      return problem([&](Client& client) {
        auto packet = dispatch_packet(client.load(store_kernel(), 0), 1, 32, Client::kHost);
        change(packet);
        return packet;
      });
    };
    CHECK(with([](auto& p) { p.header = 0x77; }) == CASTOR_PACKET_BAD_TYPE);
    CHECK(with([](auto& p) { p.header |= 1u << 31; }) == CASTOR_PACKET_BAD_TYPE);
    CHECK(with([](auto& p) { p.block[1] = 0; }) == CASTOR_PACKET_BAD_GRID);
    CHECK(with([](auto& p) { p.block[0] = 1024, p.block[1] = 2; }) == CASTOR_PACKET_BAD_GRID);
    CHECK(with([](auto& p) { p.grid[2] = 0; }) == CASTOR_PACKET_BAD_GRID);
    CHECK(with([](auto& p) { p.kernel += 64; }) == CASTOR_PACKET_BAD_KERNEL);
    CHECK(with([](auto& p) { p.kernel += 4; }) == CASTOR_PACKET_BAD_KERNEL);
    CHECK(with([](auto& p) { p.shared_dynamic = 0xfffffff0; }) == CASTOR_PACKET_BAD_SHARED);
    CHECK(with([](auto& p) { p.shared_dynamic = (99u << 10) + 1; }) == CASTOR_PACKET_BAD_SHARED);
    CHECK(with([](auto& p) { p.local_bytes = 0x7fffffff; }) == CASTOR_PACKET_BAD_LOCAL);
    CHECK(with([](auto& p) { p.header |= CASTOR_PACKET_COOPERATIVE, p.grid[0] = 100000; }) == CASTOR_PACKET_TOO_LARGE);
  });
}

TEST_CASE("a copy that leaves its allocation faults at the first byte outside") {
  Bench::get().run([] {
    const auto record = expect_fault<castor_packet_copy>(
        3, [](Client&) { return copy_packet(Client::kDevice + CASTOR_PAGE_2M - 100, Client::kHost, 200); });
    CHECK(record.cause == static_cast<std::uint8_t>(FaultCause::illegal_address));
    CHECK(record.engine == CASTOR_FAULT_COPY);
    CHECK(record.address == Client::kDevice + CASTOR_PAGE_2M);
  });
}

TEST_CASE("permissions of pages hold for kernels, copies and signals") {
  Bench::get().run([] {
    const auto read_only = Client::kDevice + 0x10'0000'0000;
    const auto map_read_only = [&](Client& client) {
      client.driver.map(client.context, read_only, client.driver.take_device(), false, CASTOR_PAGE_64K,
                        CASTOR_PTE_READ);
    };
    const auto by_copy = expect_fault<castor_packet_copy>(4, [&](Client& client) {
      map_read_only(client);
      return copy_packet(read_only + 77, Client::kHost, 8);
    });
    CHECK(by_copy.cause == static_cast<std::uint8_t>(FaultCause::permission));
    CHECK(by_copy.address == read_only + 77);
    const auto by_kernel = expect_fault<castor_packet_dispatch>(4, [&](Client& client) {
      map_read_only(client);
      client.host_word(0) = read_only + 64;
      return dispatch_packet(client.load(store_kernel(), 0), 1, 1, Client::kHost);
    });
    CHECK(by_kernel.cause == static_cast<std::uint8_t>(FaultCause::permission));
    CHECK(by_kernel.lanes == 1);
    const auto by_signal = expect_fault<castor_packet_semaphore>(4, [&](Client& client) {
      map_read_only(client);
      return semaphore_packet(CASTOR_PACKET_SEMAPHORE_SIGNAL, read_only + 8, 1);
    });
    CHECK(by_signal.cause == static_cast<std::uint8_t>(FaultCause::permission));
  });
}

TEST_CASE("a context that was reset works again") {
  Bench::get().run([] {
    Client client(machine(), 5, 4);
    CHECK_FALSE(client.finish(copy_packet(0x1000, Client::kHost, 8)));
    CHECK(client.error() == static_cast<std::uint64_t>(FaultCause::illegal_address));
    const auto packet = copy_packet(Client::kHost + 8, Client::kHost, 8);
    client.submit(&packet);  // to a stopped queue: ignored
    REQUIRE(client.driver.message(CASTOR_MSG_CONTEXT_RESET, {5}).status == 0);
    CHECK(client.error() == 0);
    client.signals = 10;  // the lost packets' signals never come
    CHECK(client.finish(packet));
    destroy(client);
  });
}

TEST_CASE("destroying a context ends its endless kernel at once") {
  Bench::get().run([] {
    Client client(machine(), 6, 4);
    auto packet = dispatch_packet(client.load(endless_kernel(), 0), 1'000'000, 128, 0);
    client.submit(&packet);
    REQUIRE(client.driver.bench.wait_until(
        [&] { return client.driver.reg(CASTOR_BLOCK_DISPATCH, CASTOR_DISPATCH_STATUS) == 1; }));
    destroy(client);
    CHECK(client.driver.reg(CASTOR_BLOCK_DISPATCH, CASTOR_DISPATCH_STATUS) == 0);
  });
}

TEST_CASE("an unmapped page is gone for kernels that had used it") {
  Bench::get().run([] {
    Client client(machine(), 7, 4);
    const std::uint64_t extra = Client::kDevice + 0x20'0000'0000;
    client.driver.map(client.context, extra, client.driver.take_device(), false, CASTOR_PAGE_2M);
    const auto kernel = client.load(store_kernel(), 0);
    client.host_word(0) = extra;
    REQUIRE(client.finish(dispatch_packet(kernel, 64, 32, Client::kHost)));
    client.driver.unmap(client.context, extra, CASTOR_PAGE_2M);
    client.driver.take_faults();
    CHECK_FALSE(client.finish(dispatch_packet(kernel, 1, 32, Client::kHost)));
    const auto records = client.driver.take_faults();
    REQUIRE(records.size() == 1);
    CHECK(records[0].address == extra);
    destroy(client);
  });
}

TEST_CASE("a full fault ring loses records, says so, and contexts still stop") {
  Bench::get().run([] {
    TestDriver& driver = machine();
    driver.take_faults();
    for (unsigned i = 0; i < TestDriver::kFaultEntries + 2; ++i) {
      Client client(driver, 8, 4);
      CHECK_FALSE(client.finish(copy_packet(0x1000, Client::kHost, 8)));
      destroy(client);
    }
    CHECK(driver.reg(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_STATUS) == 1);
    CHECK(driver.take_faults().size() == TestDriver::kFaultEntries);
    driver.set(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_STATUS, 1);
    CHECK(driver.reg(CASTOR_BLOCK_MMU, CASTOR_MMU_FATAL_STATUS) == 0);
  });
}

TEST_CASE("a doorbell works only in the page of its own context") {
  Bench::get().run([] {
    Client owner(machine(), 9, 4), stranger(machine(), 10, 5);
    auto packet = copy_packet(Client::kHost + 8, Client::kHost, 8);
    owner.host_word(0) = 4711;
    owner.driver.push(owner.queue, &packet);
    auto forged = owner.queue;
    forged.pasid = 10;
    owner.driver.ring(forged);
    owner.driver.bench.wait_ns(100000);
    CHECK(owner.host_word(8) == 0);
    owner.driver.ring(owner.queue);
    CHECK(owner.driver.bench.wait_until([&] { return owner.host_word(8) == 4711; }));
    destroy(owner);
    destroy(stranger);
  });
}
