#include <time.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "platform/sim/async_event.h"
#include "platform/sim/direct_memory.h"
#include "platform/sim/fresh_simulation.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"
#include "platform/sim/transaction_trace.h"

#include "tests/support/catch.h"

using namespace castor;
using castor::sim::fresh_simulation;

namespace {

/// Numbers pushed by threads of the host, taken by a SystemC process until `expected` of them have come.
struct Receiver : sc_core::sc_module {
  SC_HAS_PROCESS(Receiver);
  Receiver(sc_core::sc_module_name name, std::size_t expected) : sc_module(name), expected_(expected) {
    SC_THREAD(run);
  }
  void push(int value) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(value);
    }
    arrived_.notify();
  }
  void run() {
    while (received.size() < expected_) {
      if (int value; pop(value)) {
        received.push_back(value);
        continue;
      }
      wait(arrived_.event());
      ++wakes;
    }
    sc_core::sc_stop();
  }
  bool pop(int& value) {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    value = queue_.front();
    queue_.pop_front();
    return true;
  }

  std::vector<int> received;
  int wakes = 0;

 private:
  std::size_t expected_;
  sim::AsyncEvent arrived_{"arrived"};
  std::mutex mutex_;
  std::deque<int> queue_;
};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Runs until nothing is left at this time; counts.
struct Ticker : sc_core::sc_module {
  SC_HAS_PROCESS(Ticker);
  explicit Ticker(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(run); }
  void run() {
    sc_core::sc_time ahead = sim::nanoseconds(2.5);
    ahead += sim::nanoseconds(7.5);
    sim::synchronize(ahead);
    after = sim::now_ns();
    left = ahead;
  }
  std::uint64_t after = 0;
  sc_core::sc_time left = sim::nanoseconds(1);
};

}  // namespace

TEST_CASE("every notification of other threads reaches the kernel, in order of each thread") {
  fresh_simulation();
  constexpr int kEach = 20000;
  Receiver receiver("receiver", 2 * kEach);
  auto push = [&](int first) {
    for (int i = 0; i < kEach; ++i) receiver.push(first + 2 * i);
  };
  std::thread even(push, 0), odd(push, 1);
  sc_core::sc_start();
  even.join();
  odd.join();
  std::vector<int> evens, odds;
  for (const int value : receiver.received) (value % 2 == 0 ? evens : odds).push_back(value);
  REQUIRE(evens.size() == kEach);
  REQUIRE(odds.size() == kEach);
  CHECK(std::is_sorted(evens.begin(), evens.end()));
  CHECK(std::is_sorted(odds.begin(), odds.end()));
}

TEST_CASE("the kernel sleeps while nothing happens, and simulated time stands still") {
  fresh_simulation();
  Receiver receiver("receiver", 1);
  const double before = cpu_seconds();
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    receiver.push(7);
  });
  sc_core::sc_start();
  late.join();
  CHECK(receiver.received == std::vector<int>{7});
  CHECK(cpu_seconds() - before < 0.15);
  CHECK(sim::now_ns() == 0);
}

TEST_CASE("a notification before the simulation starts is kept") {
  fresh_simulation();
  Receiver receiver("receiver", 1);
  receiver.push(3);
  sc_core::sc_start();
  CHECK(receiver.received == std::vector<int>{3});
}

TEST_CASE("synchronize waits for the sum of the delays once") {
  fresh_simulation();
  Ticker ticker("ticker");
  sc_core::sc_start();
  CHECK(ticker.after == 10);
  CHECK(ticker.left == sc_core::SC_ZERO_TIME);
}

TEST_CASE("direct memory answers only for ranges that hold the whole access") {
  sim::DirectMemory memory;
  std::vector<std::byte> a(0x1000), b(0x1000);
  REQUIRE(memory.add(BusAddr{0x1000}, a.size(), a.data()));
  REQUIRE(memory.add(BusAddr{0x2000}, b.size(), b.data()));
  CHECK_FALSE(memory.add(BusAddr{0x1fff}, 2, a.data()));
  CHECK_FALSE(memory.add(BusAddr{0x800}, 0x801, a.data()));
  CHECK_FALSE(memory.add(BusAddr{~0ull}, 2, a.data()));
  CHECK(memory.find(BusAddr{0x1000}, 0x1000) == a.data());
  CHECK(memory.find(BusAddr{0x2fff}, 1) == b.data() + 0xfff);
  CHECK(memory.find(BusAddr{0x1fff}, 2) == nullptr);
  CHECK(memory.find(BusAddr{0xfff}, 1) == nullptr);
  CHECK(memory.find(BusAddr{0x3000}, 1) == nullptr);
  CHECK(memory.find(BusAddr{0x2000}, ~0ull) == nullptr);
  memory.remove(BusAddr{0x1000});
  CHECK(memory.find(BusAddr{0x1000}, 1) == nullptr);
  CHECK(memory.find(BusAddr{0x2000}, 1) == b.data());
}

TEST_CASE("the trace numbers its lines and lets the first namer that knows speak") {
  sim::TransactionTrace trace;
  std::vector<std::string> lines;
  const std::uint32_t value = 0x1234;
  const sim::TraceRecord write{.time_ps = 1'500'000,
                               .from = "kmd",
                               .kind = "MWr",
                               .address = 0x40000030,
                               .bytes = 4,
                               .data = std::as_bytes(std::span(&value, 1)),
                               .route = "link0"};
  trace.record(write);
  trace.add_namer([](const sim::TraceRecord&) { return std::string(); });
  trace.add_namer([](const sim::TraceRecord& record) { return record.kind == "MWr" ? "doorbell" : ""; });
  trace.add_namer([](const sim::TraceRecord&) { return std::string("anything"); });
  trace.enable([&](const std::string& line) { lines.push_back(line); });
  trace.record(write);
  trace.record({.from = "kmd", .kind = "CfgRd0", .config = true, .address = 0x108010, .bytes = 4});
  trace.enable({});
  trace.record(write);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("0 ") != std::string::npos);
  CHECK(lines[0].find("1.500 us") != std::string::npos);
  CHECK(lines[0].find("0x000040000030") != std::string::npos);
  CHECK(lines[0].find("= 0x1234") != std::string::npos);
  CHECK(lines[0].ends_with("doorbell"));
  CHECK(lines[1].find("01:01.0+0x010") != std::string::npos);
  CHECK(lines[1].ends_with("anything"));
}

TEST_CASE("a transaction carries its kind through a socket and does not free its extension") {
  for (int i = 0; i < 2; ++i) {
    std::uint32_t data = 0;
    sim::Transaction write(sim::TlpKind::memory_write, "kmd", 0x10, &data, sizeof data);
    CHECK(write.is_write());
    CHECK(write.get_extension<sim::Tlp>() == &write.tlp());
    CHECK_FALSE(write.ok());
    sim::Transaction read(sim::TlpKind::config_read, "kmd", 0x10, &data, sizeof data);
    CHECK(read.is_read());
  }
}
