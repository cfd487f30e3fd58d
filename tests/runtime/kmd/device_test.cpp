// The driver core on a machine that tells the truth and on machines that lie.
#include <memory>

#include "cxl/abi/config_space.h"
#include "tests/runtime/kmd/fake_machine.h"

#include "tests/support/catch.h"

using namespace castor::test;

namespace {

struct Closer {
  void operator()(castor_kmd* kmd) const { castor_kmd_close(kmd); }
};
using Kmd = std::unique_ptr<castor_kmd, Closer>;

Kmd opened(FakeMachine& machine) {
  castor_kmd* kmd = nullptr;
  REQUIRE(machine.open(&kmd) == 0);
  return Kmd(kmd);
}

constexpr std::uint64_t kBase = 0x7f0000000000, kSpan = 1ull << 32;

}  // namespace

TEST_CASE("enumeration numbers buses, sizes BARs and opens the bridge over them") {
  FakeMachine machine;
  const castor_kmd_function gpu = machine.enumerate();
  REQUIRE(castor_kmd_is_gpu(&gpu));
  CHECK(gpu.bdf == CASTOR_KMD_BDF(1, 0, 0));
  CHECK(gpu.bars[0].bytes == 16u << 20);
  CHECK(gpu.bars[2].bytes == 1u << 20);
  CHECK(gpu.bars[4].bytes == FakeMachine::kMemoryBytes);
  for (const int i : {0, 2, 4}) {
    CHECK(gpu.bars[i].bus % gpu.bars[i].bytes == 0);
    const auto& aperture = i == 4 ? machine.port.mmio64 : machine.port.mmio32;
    CHECK(gpu.bars[i].bus >= aperture.base);
    CHECK(gpu.bars[i].bus + gpu.bars[i].bytes <= aperture.base + aperture.bytes);
  }
  CHECK(machine.memory_enabled);
  CHECK(machine.master_enabled);

  const auto& bridge = machine.functions[CASTOR_KMD_BDF(0, 1, 0)].bytes;
  const auto half = [&](std::uint32_t offset) { return bridge[offset] | std::uint32_t{bridge[offset + 1]} << 8; };
  const auto word = [&](std::uint32_t offset) { return half(offset) | half(offset + 2) << 16; };
  CHECK(bridge[CASTOR_PCI_BRIDGE_SECONDARY_BUS] == 1);
  CHECK(bridge[CASTOR_PCI_BRIDGE_SUBORDINATE_BUS] == 1);
  const std::uint64_t low = std::uint64_t{half(CASTOR_PCI_BRIDGE_MEMORY_BASE) & 0xfff0} << 16;
  const std::uint64_t high = std::uint64_t{half(CASTOR_PCI_BRIDGE_MEMORY_LIMIT) & 0xfff0} << 16 | 0xfffff;
  CHECK(low <= gpu.bars[0].bus);
  CHECK(high >= gpu.bars[0].bus + gpu.bars[0].bytes - 1);
  CHECK(low <= gpu.bars[2].bus);
  CHECK(high >= gpu.bars[2].bus + gpu.bars[2].bytes - 1);
  const std::uint64_t low64 = std::uint64_t{word(CASTOR_PCI_BRIDGE_PREFETCH_BASE_UPPER)} << 32 |
                              std::uint64_t{half(CASTOR_PCI_BRIDGE_PREFETCH_BASE) & 0xfff0} << 16;
  const std::uint64_t high64 = std::uint64_t{word(CASTOR_PCI_BRIDGE_PREFETCH_LIMIT_UPPER)} << 32 |
                               std::uint64_t{half(CASTOR_PCI_BRIDGE_PREFETCH_LIMIT) & 0xfff0} << 16 | 0xfffff;
  CHECK(low64 <= gpu.bars[4].bus);
  CHECK(high64 >= gpu.bars[4].bus + gpu.bars[4].bytes - 1);
}

TEST_CASE("a bus without room for a BAR is an error") {
  FakeMachine machine;
  machine.port.mmio32.bytes = 8u << 20;
  castor_kmd_function found{};
  CHECK(castor_kmd_enumerate(&machine.port, &found, 1) == CASTOR_KMD_ENOMEM);
}

TEST_CASE("a device comes up: firmware gathered page by page, interrupts on") {
  FakeMachine machine;
  {
    const Kmd kmd = opened(machine);
    REQUIRE(machine.image_seen.size() == 10000);
    CHECK(machine.image_seen[5000] == static_cast<std::uint8_t>(5000 * 7 + 5000 / 256));
    CHECK(machine.msix_enabled);
    CHECK(castor_kmd_ping(kmd.get()) == 0);
    std::uint64_t free = 0, total = 0;
    castor_kmd_memory_info(kmd.get(), &free, &total);
    CHECK(total == FakeMachine::kMemoryBytes - FakeMachine::kFirmwareBytes);
    CHECK(free == total);
  }
  CHECK(machine.allocations.empty());
}

TEST_CASE("a discovery table that is wrong is refused and everything is given back") {
  using Spoil = void (*)(FakeMachine&);
  const Spoil spoils[] = {
      [](FakeMachine& m) { m.discovery().magic ^= 1; },
      [](FakeMachine& m) { m.discovery().version = 9; },
      [](FakeMachine& m) { m.discovery().blocks_offset = 0xfffffff0; },
      [](FakeMachine& m) { m.discovery().blocks = 0xffff; },
      [](FakeMachine& m) { m.discovery().regions = 0x7fffffff; },
      [](FakeMachine& m) { m.discovery().contexts = 0; },
      [](FakeMachine& m) { m.discovery().vectors = 2; },
      [](FakeMachine& m) { m.discovery().firmware_abi = 99; },
      [](FakeMachine& m) { m.discovery().table_bytes -= 4; },
      [](FakeMachine& m) { m.discovery().memory_bytes = 4096; },
  };
  for (const Spoil spoil : spoils) {
    FakeMachine machine;
    spoil(machine);
    machine.seal_table();
    castor_kmd* kmd = nullptr;
    CHECK(machine.open(&kmd) == CASTOR_KMD_EIO);
    CHECK(machine.allocations.empty());
  }
  FakeMachine machine;
  machine.table[100] ^= 0x40;  // not sealed again
  castor_kmd* kmd = nullptr;
  CHECK(machine.open(&kmd) == CASTOR_KMD_EIO);
  for (const std::uint32_t size : {0u, 7u, 64u, 0x7fffffffu, 0xffffffffu}) {
    FakeMachine sized;
    sized.registers[CASTOR_BOOT_DISCOVERY_BYTES] = size;
    CHECK(sized.open(&kmd) == CASTOR_KMD_EIO);
  }
}

TEST_CASE("a firmware that fails or never gets ready is an error with a reason, within a time limit") {
  FakeMachine failing;
  failing.boot_failure = CASTOR_GSP_FAIL_SIGNATURE;
  castor_kmd* kmd = nullptr;
  CHECK(failing.open(&kmd) == CASTOR_KMD_EIO);
  bool said = false;
  for (const auto& line : failing.log) said = said || line.find("signature") != std::string::npos;
  CHECK(said);
  FakeMachine silent;
  silent.boots = false;
  CHECK(silent.open(&kmd) == CASTOR_KMD_ETIMEOUT);
  CHECK(silent.now < 10'000'000'000);
  CHECK(silent.allocations.empty());
}

TEST_CASE("running out of host memory at any point leaks nothing") {
  std::size_t needed = 0;
  {
    FakeMachine machine;
    machine.host_allocations_left = 1000;
    const Kmd kmd = opened(machine);
    needed = 1000 - machine.host_allocations_left;
  }
  for (std::size_t left = 0; left < needed; ++left) {
    FakeMachine machine;
    machine.host_allocations_left = left;
    castor_kmd* kmd = nullptr;
    CHECK(machine.open(&kmd) == CASTOR_KMD_ENOMEM);
    CHECK(machine.allocations.empty());
  }
}

TEST_CASE("a wrong checksum in an answer loses the device, and every later call says so") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  machine.spoil = [](castor_message& answer) { answer.crc ^= 0x10; };
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ELOST);
  CHECK(machine.notices.back().first == CASTOR_KMD_NOTICE_LOST);
  machine.spoil = [](castor_message&) {};
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ELOST);
  castor_kmd_context* context = nullptr;
  CHECK(castor_kmd_context_create(kmd.get(), kBase, kSpan, &context) == CASTOR_KMD_ELOST);
}

TEST_CASE("a firmware that does not answer is given up after the time limit") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  machine.answers = [](const castor_message&) { return false; };
  const std::uint64_t before = machine.now;
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ETIMEOUT);
  CHECK(machine.now - before < 10'000'000'000);
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ELOST);
}

TEST_CASE("an answer to another message is passed over") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  machine.send_status(
      {.sequence = 12345, .version = 1, .function = CASTOR_MSG_PING, .status = 0, .crc = 0, .args = {}});
  CHECK(castor_kmd_ping(kmd.get()) == 0);
}

TEST_CASE("errors of the firmware keep their meaning") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  const std::pair<std::int32_t, int> rows[] = {
      {CASTOR_MSG_EINVAL, CASTOR_KMD_EINVAL}, {CASTOR_MSG_ENOSPC, CASTOR_KMD_ENOMEM},
      {CASTOR_MSG_ENOENT, CASTOR_KMD_ENOENT}, {CASTOR_MSG_ENOSYS, CASTOR_KMD_ENOSYS},
      {CASTOR_MSG_ECRC, CASTOR_KMD_EIO},      {-77, CASTOR_KMD_EIO}};
  for (const auto& [status, error] : rows) {
    machine.status_for = [status = status](const castor_message&) { return status; };
    CHECK(castor_kmd_ping(kmd.get()) == error);
  }
}

TEST_CASE("faults reach their context, the first record counts, others go on") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  castor_kmd_context *a = nullptr, *b = nullptr;
  REQUIRE(castor_kmd_context_create(kmd.get(), kBase, kSpan, &a) == 0);
  REQUIRE(castor_kmd_context_create(kmd.get(), kBase, kSpan, &b) == 0);
  castor_fault_record record{};
  record.context = static_cast<std::uint16_t>(castor_kmd_context_pasid(b));
  record.address = 0x1234;
  machine.fault(record);
  record.address = 0x5678;
  machine.fault(record);
  record.context = 7;  // nobody
  machine.fault(record);
  machine.notices.clear();
  castor_kmd_interrupt(kmd.get(), 1ull << CASTOR_VECTOR_FATAL_FAULT);
  castor_fault_record seen{};
  CHECK(castor_kmd_context_fault(a, &seen) == 0);
  REQUIRE(castor_kmd_context_fault(b, &seen) == 1);
  CHECK(seen.address == 0x1234);
  REQUIRE(machine.notices.size() == 1);
  CHECK(machine.notices[0].second == castor_kmd_context_pasid(b));
  CHECK(machine.registers[FakeMachine::kMmu + CASTOR_MMU_FATAL_GET] == 3);
  CHECK(castor_kmd_context_reset(b) == 0);
  CHECK(castor_kmd_context_fault(b, &seen) == 0);
}

TEST_CASE("a fault ring that makes no sense loses the device") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  machine.registers[FakeMachine::kMmu + CASTOR_MMU_FATAL_PUT] = 5000;
  castor_kmd_interrupt(kmd.get(), 1ull << CASTOR_VECTOR_FATAL_FAULT);
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ELOST);
}

TEST_CASE("a crash of the firmware loses the device") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  machine.registers[FakeMachine::kGsp + CASTOR_GSP_STATUS] = CASTOR_GSP_STATE_FAILED | CASTOR_GSP_FAIL_TRAP << 8;
  castor_kmd_interrupt(kmd.get(), 1ull << CASTOR_VECTOR_DEVICE);
  CHECK(castor_kmd_ping(kmd.get()) == CASTOR_KMD_ELOST);
}

TEST_CASE("queues: created by message, rung at the context's doorbell page, notified by vector") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  castor_kmd_context* context = nullptr;
  REQUIRE(castor_kmd_context_create(kmd.get(), kBase, kSpan, &context) == 0);
  std::uint32_t queue = 0;
  CHECK(castor_kmd_queue_create(context, 0x1000, 100, 0x2000, &queue) == CASTOR_KMD_EINVAL);
  CHECK(castor_kmd_queue_create(context, 0x1008, 64, 0x2000, &queue) == CASTOR_KMD_EINVAL);
  REQUIRE(castor_kmd_queue_create(context, 0x1000, 64, 0x2000, &queue) == 0);
  const castor_message& message = machine.messages.back();
  CHECK(message.args[0] == castor_kmd_context_pasid(context));
  CHECK(message.args[1] == 0x1000);
  CHECK(message.args[2] == 64);
  CHECK(message.args[3] == 0x2000);
  REQUIRE(castor_kmd_doorbell(context, queue) == 0);
  const std::uint64_t page = castor_kmd_context_pasid(context) * std::uint64_t{0x10000};
  CHECK(machine.doorbells.back() == ((page + 0x90) << 32 | queue));
  CHECK(castor_kmd_doorbell(context, queue + 1) == CASTOR_KMD_ENOENT);
  const std::uint64_t vector = message.args[4];
  machine.notices.clear();
  castor_kmd_interrupt(kmd.get(), 1ull << vector);
  REQUIRE(machine.notices.size() == 1);
  CHECK(machine.notices[0] == std::pair(CASTOR_KMD_NOTICE_QUEUE, castor_kmd_context_pasid(context)));
  CHECK(castor_kmd_queue_destroy(context, queue) == 0);
  CHECK(castor_kmd_queue_destroy(context, queue) == CASTOR_KMD_ENOENT);
}

TEST_CASE("contexts: as many as the device has, their numbers come back") {
  FakeMachine machine;
  const Kmd kmd = opened(machine);
  std::vector<castor_kmd_context*> contexts;
  castor_kmd_context* context = nullptr;
  while (castor_kmd_context_create(kmd.get(), kBase, kSpan, &context) == 0) contexts.push_back(context);
  CHECK(contexts.size() == 7);  // PASID 0 is nobody's
  castor_kmd_context_destroy(contexts[3]);
  REQUIRE(castor_kmd_context_create(kmd.get(), kBase, kSpan, &context) == 0);
  CHECK(castor_kmd_context_pasid(context) == 4);
  CHECK(castor_kmd_context_create(kmd.get(), 0, kSpan, &context) == CASTOR_KMD_EINVAL);
  CHECK(castor_kmd_context_create(kmd.get(), 1ull << 47, kSpan, &context) == CASTOR_KMD_EINVAL);
  CHECK(castor_kmd_context_create(kmd.get(), kBase + 4096, kSpan, &context) == CASTOR_KMD_EINVAL);
}
