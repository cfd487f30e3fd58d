// The SM as its owner sees it: limits, room, reports, requests from other threads, views of warps.
#include "gpu/sm/sm.h"

#include <atomic>
#include <thread>

#include "gpu/abi/address_space.h"
#include "tests/gpu/sm/program.h"
#include "tests/support/catch.h"

namespace castor::sm::test {
namespace {

struct Fixture {
  explicit Fixture(const std::string& text, const SmSpec& spec = {}) : sm(spec) {
    program.code = assemble_text(text, program.symbols);
    prepare(program, memory);
    cta.context = 7;
    cta.memory = &memory;
    cta.block = {32, 1, 1};
    cta.entry = VirtAddr{kCode};
    cta.params = VirtAddr{kParams};
    cta.local_bytes = 256;
  }
  /// Replaces the code in place, as a module loaded over another one does.
  void rewrite(const std::string& text) {
    const auto code = assemble_text(text, program.symbols);
    std::memcpy(memory.at(kCode), code.data(), code.size());
  }
  Program program;
  FlatMemory memory;
  Sm sm;
  CtaLaunch cta;
};

constexpr const char* kForever = "loop: j loop\n";
std::string store_value(int value) {
  return "ld a2, 0(a0)\n li t1, " + std::to_string(value) + "\n sw t1, 0(a2)\n ret\n";
}

TEST_CASE("sm: launches that break a limit are refused with the limit's name", "[sm]") {
  Fixture f("ret\n");
  const auto refused = [&](CtaLaunch cta, std::string_view what) {
    const Status status = f.sm.check(cta);
    REQUIRE(status.code() == StatusCode::invalid_value);
    REQUIRE(status.message().find(what) != std::string::npos);
    REQUIRE_FALSE(f.sm.can_accept(cta));
    REQUIRE(f.sm.launch(cta).code() == StatusCode::invalid_value);
  };
  CtaLaunch cta = f.cta;
  cta.block = {1025, 1, 1};
  refused(cta, "threads");
  cta.block = {0, 1, 1};
  refused(cta, "threads");
  cta = f.cta;
  cta.shared_static = 100 << 10;
  refused(cta, "shared");
  cta = f.cta;
  cta.shared_static = 60 << 10, cta.shared_dynamic = 60 << 10;
  refused(cta, "shared");
  cta = f.cta;
  cta.shared_static = 16, cta.shared_dynamic = 0xffff'fff8;
  refused(cta, "shared");
  cta = f.cta;
  cta.local_bytes = 513 << 10;
  refused(cta, "local");
  cta = f.cta;
  cta.memory = nullptr;
  refused(cta, "address space");
}

TEST_CASE("sm: room is counted in warps, CTAs and shared memory, and comes back", "[sm]") {
  Fixture f(kForever);
  CtaLaunch big = f.cta;
  big.block = {1024, 1, 1};
  REQUIRE(f.sm.launch(big).ok());
  REQUIRE_FALSE(f.sm.can_accept(big));  // 32 of 48 warps
  REQUIRE(f.sm.launch(big).code() == StatusCode::busy);
  CtaLaunch shared = f.cta;
  shared.shared_static = 60 << 10;
  REQUIRE(f.sm.launch(shared).ok());
  REQUIRE_FALSE(f.sm.can_accept(shared));
  while (f.sm.can_accept(f.cta)) REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.resident_ctas() == 17);  // 48 warps: 32 + 16 single ones
  f.sm.cancel(f.cta.context);
  REQUIRE(f.sm.run(1).idle);
  REQUIRE(f.sm.resident_ctas() == 0);
  REQUIRE(f.sm.can_accept(big));
}

TEST_CASE("sm: a run stops at its budget and says what it did", "[sm]") {
  Fixture f(kForever);
  REQUIRE(f.sm.launch(f.cta).ok());
  const RunReport report = f.sm.run(10'000);
  REQUIRE(report.issued >= 10'000);
  REQUIRE(report.issued < 10'100);
  REQUIRE_FALSE(report.idle);
  REQUIRE(f.sm.stats().thread_instructions == 32 * f.sm.stats().issued);
  f.sm.interrupt();
  REQUIRE(f.sm.run(1'000'000'000).issued < 10'000);
}

TEST_CASE("sm: an endless kernel is cancelled from another thread", "[sm]") {
  Fixture f(kForever);
  REQUIRE(f.sm.launch(f.cta).ok());
  std::atomic<bool> idle = false;
  std::thread worker([&] {
    while (!f.sm.run(1'000'000).idle) {
    }
    idle = true;
  });
  const Sm::Ticket ticket = f.sm.cancel(f.cta.context);
  while (!f.sm.done(ticket)) std::this_thread::yield();
  worker.join();
  REQUIRE(idle);
}

TEST_CASE("sm: after an invalidation no old translation is used", "[sm]") {
  // Spins on a word; then the word's page is replaced by another one that holds the value waited for.
  Fixture f("ld a2, 0(a0)\nloop: lw t1, 0(a2)\n beqz t1, loop\n sw t1, 4(a2)\n ret\n");
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.empty());
  FlatMemory second;
  std::byte* replacement = second.map(kOut, kBufferBytes, "rw");
  const std::uint32_t value = 5;
  std::memcpy(replacement, &value, 4);
  struct Redirected : MemoryPort {
    FlatMemory *first, *second;
    bool moved = false;
    Translation translate(VirtAddr address, Access access) override {
      return moved && address.value >= kOut && address.value < kIn ? second->translate(address, access)
                                                                   : first->translate(address, access);
    }
  };
  f.sm.cancel(f.cta.context);
  Redirected redirected;
  redirected.first = &f.memory, redirected.second = &second;
  f.cta.memory = &redirected;
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.empty());
  redirected.moved = true;
  REQUIRE(f.sm.run(1000).finished.empty());  // the old translation may still serve
  const Sm::Ticket ticket = f.sm.invalidate_translations(f.cta.context, VirtAddr{kOut}, 4096);
  REQUIRE(f.sm.done(ticket));  // nothing runs: the next run will not use it
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(second.get<std::uint32_t>(kOut + 4) == 5);
}

TEST_CASE("sm: a module loaded over another one is not mistaken for it", "[sm]") {
  Fixture f(store_value(1));
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(f.memory.get<std::uint32_t>(kOut) == 1);
  f.rewrite(store_value(2));
  f.cta.grid_id = 2;
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(f.memory.get<std::uint32_t>(kOut) == 2);
}

TEST_CASE("sm: code that changes itself is seen after fence.i", "[sm]") {
  Fixture f("ret\n");
  f.memory.unmap(kCode);
  f.memory.map(kCode, 4096, "rwx");
  f.rewrite(
      "ld a2, 0(a0)\n la t1, patched\n li t2, 0x00200293\n j patched\nback: sw t2, 0(t1)\n fence.i\n j patched\n"
      "patched: li t0, 1\n sw t0, 0(a2)\n addi a2, a2, 4\n li t3, 1\n beq t0, t3, back\n ret\n");
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(f.memory.get<std::uint32_t>(kOut) == 1);
  REQUIRE(f.memory.get<std::uint32_t>(kOut + 4) == 2);
}

TEST_CASE("sm: a fault freezes its context alone", "[sm]") {
  Fixture f("lw t1, 0(x0)\n ret\n");
  Fixture other(store_value(3));
  other.cta.context = 8;
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.launch(other.cta).ok());
  const RunReport report = f.sm.run(1000);
  REQUIRE(report.fault);
  REQUIRE(report.fault->context == 7);
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(other.memory.get<std::uint32_t>(kOut) == 3);
  REQUIRE(f.sm.run(1000).idle);
  REQUIRE(f.sm.resident_ctas() == 2);
  f.sm.cancel(7);
  REQUIRE(f.sm.run(1).idle);
  REQUIRE(f.sm.resident_ctas() == 0);
}

TEST_CASE("sm: registers and memories can be looked at between runs", "[sm]") {
  Fixture f("csrr t0, tid.x\n sd t0, -8(sp)\n sh2add t1, t0, tp\n sw t0, 0(t1)\n castor.trap t0\n");
  f.cta.shared_static = 128;
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).fault);
  REQUIRE(f.sm.warp_count() == 1);
  const Sm::WarpView view = f.sm.warp(0);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    REQUIRE(view.state->x[5][lane] == lane);
    REQUIRE(view.state->pc[lane] == kCode + 16);
    std::uint64_t stored = 0;
    const std::byte* local = f.sm.local(view.cta_slot, lane, VirtAddr{view.state->x[2][lane] - 8});
    REQUIRE(local != nullptr);
    std::memcpy(&stored, local, 8);
    REQUIRE(stored == lane);
    std::uint32_t word = 0;
    std::memcpy(&word, f.sm.shared(view.cta_slot).data() + 4 * lane, 4);
    REQUIRE(word == lane);
  }
  REQUIRE(f.sm.local(view.cta_slot, 0, VirtAddr{view.state->x[2][0]}) == nullptr);
  REQUIRE(f.sm.local(view.cta_slot, 0, VirtAddr{view.state->x[2][0] - 257}) == nullptr);
}

TEST_CASE("sm: shared and local memory of an earlier context cannot be seen", "[sm]") {
  Fixture f("li t1, 77\n sd t1, -8(sp)\n sd t1, 0(tp)\n ret\n");
  f.cta.shared_static = 64;
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  Fixture other("ld a2, 0(a0)\n ld t1, -8(sp)\n ld t2, 0(tp)\n or t1, t1, t2\n addi t1, t1, 1\n sd t1, 0(a2)\n ret\n");
  other.cta.context = 8;
  other.cta.shared_static = 64;
  REQUIRE(f.sm.launch(other.cta).ok());
  REQUIRE(f.sm.run(1000).finished.size() == 1);
  REQUIRE(other.memory.get<std::uint64_t>(kOut) == 1);
}

TEST_CASE("sm: two SMs on two threads agree on atomics", "[sm]") {
  Fixture f(
      "ld a2, 0(a0)\n li t1, 1\n li t2, 2000\nloop:\n amoadd.w x0, t1, (a2)\n addi a3, a2, 8\nretry:\n lr.d t3, (a3)\n addi t3, t3, 1\n"
      "sc.d t4, t3, (a3)\n bnez t4, retry\n addi t2, t2, -1\n bnez t2, loop\n ret\n");
  SmSpec spec;
  spec.id = 1;
  Sm second(spec);
  REQUIRE(f.sm.launch(f.cta).ok());
  REQUIRE(second.launch(f.cta).ok());
  const auto finish = [](Sm& sm) {
    while (sm.resident_ctas() != 0) static_cast<void>(sm.run(100'000));
  };
  std::thread other([&] { finish(second); });
  finish(f.sm);
  other.join();
  REQUIRE(f.memory.get<std::uint32_t>(kOut) == 2 * 32 * 2000);
  REQUIRE(f.memory.get<std::uint64_t>(kOut + 8) == 2 * 32 * 2000);
}

}  // namespace
}  // namespace castor::sm::test
