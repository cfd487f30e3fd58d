// A whole machine, driven through the HAL as libcuda does it: boot, memory, a queue, copies, several clients.
#include "platform/board/machine.h"

#include <sys/socket.h>

#include <atomic>
#include <cstring>
#include <numeric>

#include "gpu/abi/packet.h"
#include "platform/board/config.h"
#include "runtime/hal/client.h"
#include "runtime/kmd/kmd.h"

#include "tests/support/catch.h"

using namespace castor;

namespace {

board::MachineSpec tiny() {
  auto spec = board::load_config(CONFIG_DIR "/tiny.toml");
  REQUIRE(spec.ok());
  return std::move(spec).value();
}

std::unique_ptr<hal::Client> connect(board::Machine& machine) {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  const Status adopted = machine.adopt(ends[0]);
  REQUIRE(adopted.ok());
  auto client = hal::Client::adopt(ends[1]);
  INFO(client.status().message());
  REQUIRE(client.ok());
  return std::move(client).value();
}

constexpr std::uint64_t kVaBase = 0x10'0000'0000, kVaBytes = 0x10'0000'0000;
constexpr std::size_t kPage = 4096, kEntries = 64;

/// A client's context with one queue whose ring, queue page and data share one pinned piece.
struct Context {
  explicit Context(hal::Client& owner) : client(owner) {
    auto created = client.create_context(kVaBase, kVaBytes);
    REQUIRE(created.ok());
    id = *created;
    auto pinned = client.pin(16 * kPage);
    REQUIRE(pinned.ok());
    memory = *pinned;
    const Status mapped = client.map_host(id, memory, CASTOR_KMD_DATA);
    INFO(mapped.message());
    REQUIRE(mapped.ok());
    auto made = client.create_queue(id, memory.va(), kEntries, memory.va() + kPage);
    INFO(made.status().message());
    REQUIRE(made.ok());
    queue = *made;
  }
  castor_queue_page* page() { return reinterpret_cast<castor_queue_page*>(memory.data + kPage); }
  std::byte* data() { return memory.data + 2 * kPage; }
  std::atomic_ref<std::uint64_t> signal() {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(memory.data + kPage + 256));
  }

  void copy(std::uint64_t source, std::uint64_t destination, std::uint64_t bytes) {
    castor_packet_copy packet{};
    packet.header = CASTOR_PACKET_COPY | CASTOR_PACKET_BARRIER | CASTOR_PACKET_INTERRUPT;
    packet.rows = 1;
    packet.source = source;
    packet.destination = destination;
    packet.row_bytes = bytes;
    packet.signal = memory.va() + kPage + 256;
    packet.signal_value = ++submitted;
    static_assert(sizeof packet == CASTOR_PACKET_BYTES);
    std::memcpy(memory.data + (submitted - 1) % kEntries * CASTOR_PACKET_BYTES, &packet, sizeof packet);
    std::atomic_ref<std::uint64_t>(page()->put).store(submitted, std::memory_order_release);
    client.ring(queue);
  }
  Status wait() {
    return client.wait([&] { return signal().load(std::memory_order_acquire) >= submitted || client.faulted(id); });
  }

  hal::Client& client;
  std::uint32_t id = 0, queue = 0;
  hal::PinnedMemory memory;
  std::uint64_t submitted = 0;
};

/// There and back again through device memory.
void round_trip(Context& context, unsigned seed) {
  constexpr std::size_t kBytes = 3 * kPage + 100;
  auto device = context.client.alloc(context.id, 1 << 20, CASTOR_KMD_DATA);
  REQUIRE(device.ok());
  std::byte* from = context.data();
  std::byte* to = context.data() + 6 * kPage;
  for (std::size_t i = 0; i < kBytes; ++i) from[i] = static_cast<std::byte>(i * 7 + seed);
  std::memset(to, 0, kBytes + 1);
  context.copy(reinterpret_cast<std::uint64_t>(from), *device + 24, kBytes);
  context.copy(*device + 24, reinterpret_cast<std::uint64_t>(to), kBytes);
  const Status done = context.wait();
  REQUIRE(done.ok());
  REQUIRE_FALSE(context.client.faulted(context.id));
  CHECK(std::memcmp(from, to, kBytes) == 0);
  CHECK(to[kBytes] == std::byte{0});
  CHECK(context.client.free(context.id, *device).ok());
}

}  // namespace

TEST_CASE("a machine that cannot come up says why, and the next one is not harmed by it") {
  auto missing = board::Machine::start(tiny(), {.firmware = "/no/such/firmware", .trace = {}});
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.status().message().find("/no/such/firmware") != std::string::npos);

  // The driver sends the device something that is no firmware: the boot ROM refuses, the driver tells.
  auto refused = board::Machine::start(tiny(), {.firmware = CONFIG_DIR "/tiny.toml", .trace = {}});
  REQUIRE_FALSE(refused.ok());
  INFO(refused.status().message());
  CHECK(refused.status().message().find("firmware") != std::string::npos);

  auto wrong = tiny();
  wrong.link.lanes = 5;
  CHECK(board::Machine::start(wrong, {.firmware = FIRMWARE, .trace = {}}).status().code() == StatusCode::invalid_value);
  CHECK(board::draw_topology(tiny()).ok());

  auto signed_only = tiny();
  signed_only.package.signed_firmware_only = true;
  auto machine = board::Machine::start(signed_only, {.firmware = FIRMWARE, .trace = {}});
  INFO(machine.status().message());
  REQUIRE(machine.ok());
  auto client = connect(**machine);
  Context context(*client);
  round_trip(context, 9);
}

TEST_CASE("a machine boots, copies there and back, and isolates and survives its clients") {
  auto machine = board::Machine::start(tiny(), {.firmware = FIRMWARE, .trace = {}});
  INFO(machine.status().message());
  REQUIRE(machine.ok());

  auto first = connect(**machine);
  CHECK(first->device().memory_bytes == 256u << 20);
  CHECK(first->device().sms == 1);
  CHECK(first->ping().ok());
  auto before = first->memory_info();
  REQUIRE(before.ok());
  {
    Context context(*first);
    round_trip(context, 1);
    round_trip(context, 2);

    auto second = connect(**machine);
    Context other(*second);
    round_trip(other, 3);
    // A bad address stops this context alone, and says where.
    other.copy(0x1234, reinterpret_cast<std::uint64_t>(other.data()), 16);
    REQUIRE(other.wait().ok());
    REQUIRE(second->faulted(other.id));
    auto fault = second->context_fault(other.id);
    REQUIRE(fault.ok());
    CHECK(fault->faulted == 1);
    CHECK(fault->record.address == 0x1234);
    round_trip(context, 4);
    // The second client goes without a word: what it had is freed.
    second.reset();
    round_trip(context, 5);
    CHECK(first->destroy_context(context.id).ok());
  }
  auto after = first->memory_info();
  for (int tries = 0; tries < 2000 && after.ok() && after->free_bytes != before->free_bytes; ++tries)
    after = first->memory_info();  // the other connection may still be ending
  REQUIRE(after.ok());
  CHECK(after->free_bytes == before->free_bytes);

  // The machine goes: its client gets an error, not a hang.
  Context context(*first);
  (*machine)->stop();
  CHECK(first->ping().code() == StatusCode::device_lost);
  CHECK(first->wait([] { return false; }).code() == StatusCode::device_lost);
  CHECK(first->lost());
  (*machine)->stop();
}
