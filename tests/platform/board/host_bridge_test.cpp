// The host bridge alone: what a processor and a device see of the bus.
#include "platform/board/host_bridge_module.h"

#include <cstring>

#include "platform/board/host_map.h"
#include "platform/sim/fresh_simulation.h"
#include "platform/sim/tlp.h"

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::board;

namespace {

/// Stands for the root complex: claims what it is told to, and notes what came.
struct Claimer : sc_core::sc_module {
  explicit Claimer(sc_core::sc_module_name name) : sc_module(name), in("in") {
    in.register_b_transport(this, &Claimer::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    ++accesses;
    address = payload.get_address();
    kind = payload.get_extension<sim::Tlp>()->kind;
    if (payload.is_read()) std::memset(payload.get_data_ptr(), 0x11, payload.get_data_length());
    payload.set_response_status(claims ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  tlm_utils::simple_target_socket<Claimer> in;
  bool claims = true;
  int accesses = 0;
  std::uint64_t address = 0;
  sim::TlpKind kind{};
};

struct Bench : sc_core::sc_module {
  explicit Bench(sc_core::sc_module_name name)
      : sc_module(name), processor("cpu"), device("dev"), memory(1u << 20), bridge("bridge", memory), root("root") {
    processor.bind(bridge.processor);
    device.bind(bridge.devices);
    bridge.root_complex.bind(root.in);
  }

  template <class Socket, class T>
  bool access(Socket& socket, bool write, std::uint64_t address, T& value) {
    sim::Transaction transaction(write ? sim::TlpKind::memory_write : sim::TlpKind::memory_read, "test", address,
                                 &value, sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(transaction, delay);
    return transaction.ok();
  }
  template <class T>
  T load(std::uint64_t address) {
    T value{};
    (void)access(processor, false, address, value);
    return value;
  }
  bool dma_write(std::uint64_t address, auto value) { return access(device, true, address, value); }

  tlm_utils::simple_initiator_socket<Bench> processor, device;
  HostMemory memory;
  HostBridgeModule bridge;
  Claimer root;
};

/// Elaborated, so that the sockets work; nothing needs the simulation to run.
std::unique_ptr<Bench> bench() {
  sim::fresh_simulation();
  auto made = std::make_unique<Bench>("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  return made;
}

}  // namespace

TEST_CASE("configuration space is where ECAM says: bus, device, function, register") {
  const auto b = bench();
  CHECK(b->load<std::uint32_t>(kEcamBase + (3ull << 20 | 2 << 15 | 1 << 12) + 0x10) == 0x11111111);
  CHECK(b->root.address == (3ull << 20 | 2 << 15 | 1 << 12) + 0x10);
  CHECK(b->root.kind == sim::TlpKind::config_read);
  std::uint16_t command = 6;
  CHECK(b->access(b->processor, true, kEcamBase + 4, command));
  CHECK(b->root.kind == sim::TlpKind::config_write);
  // Neither wide nor crooked accesses exist there.
  b->root.accesses = 0;
  CHECK(b->load<std::uint64_t>(kEcamBase) == ~0ull);
  CHECK(b->load<std::uint32_t>(kEcamBase + 2) == ~0u);
  CHECK(b->root.accesses == 0);
}

TEST_CASE("what nobody claims reads all ones") {
  const auto b = bench();
  b->root.claims = false;
  CHECK(b->load<std::uint32_t>(kMmio32Base) == 0xffffffff);
  CHECK(b->load<std::uint64_t>(kMmio64Base) == ~0ull);
  CHECK(b->load<std::uint8_t>(kEcamBase) == 0xff);
  CHECK(b->root.accesses == 3);
  CHECK(b->load<std::uint32_t>(0) == 0xffffffff);
  CHECK(b->load<std::uint32_t>(kMmio32Base + kMmio32Bytes - 2) == 0xffffffff);  // runs out of the window
  CHECK(b->root.accesses == 3);
}

TEST_CASE("RAM and BARs keep their addresses") {
  const auto b = bench();
  std::uint64_t value = 0x1122334455667788;
  CHECK(b->access(b->processor, true, kRamBase + 8, value));
  CHECK(b->load<std::uint64_t>(kRamBase + 8) == value);
  CHECK(b->load<std::uint16_t>(kRamBase + 9) == 0x6677);
  CHECK(b->root.accesses == 0);
  CHECK(b->load<std::uint32_t>(kMmio64Base + 0x123450) == 0x11111111);
  CHECK(b->root.address == kMmio64Base + 0x123450);
  CHECK(b->root.kind == sim::TlpKind::memory_read);
}

TEST_CASE("a device reaches memory and nothing else") {
  const auto b = bench();
  CHECK(b->dma_write(kRamBase, std::uint32_t{0xabcdef01}));
  CHECK(b->load<std::uint32_t>(kRamBase) == 0xabcdef01);
  CHECK_FALSE(b->dma_write(kRamBase + (1u << 20) - 2, std::uint32_t{1}));
  CHECK_FALSE(b->dma_write(kMmio32Base, std::uint32_t{1}));
  CHECK_FALSE(b->dma_write(kEcamBase, std::uint32_t{1}));
  CHECK_FALSE(b->dma_write(kPinnedBase, std::uint32_t{1}));
  CHECK_FALSE(b->dma_write(0, std::uint64_t{1}));
  CHECK(b->root.accesses == 0);
}

TEST_CASE("a message raises the interrupt that its data names, until it is taken") {
  const auto b = bench();
  CHECK(b->dma_write(kMsiBase, std::uint32_t{5}));
  CHECK(b->dma_write(kMsiBase, std::uint32_t{63}));
  CHECK(b->bridge.take_interrupts(1u << 4) == 0);
  CHECK(b->bridge.take_interrupts(~0ull >> 1) == 1u << 5);
  CHECK(b->bridge.pending_interrupts() == 1ull << 63);
  CHECK(b->bridge.take_interrupts(~0ull) == 1ull << 63);
  CHECK(b->bridge.take_interrupts(~0ull) == 0);
  CHECK_FALSE(b->dma_write(kMsiBase, std::uint32_t{64}));
  CHECK_FALSE(b->dma_write(kMsiBase, std::uint64_t{1}));
  CHECK_FALSE(b->dma_write(kMsiBase + 4, std::uint32_t{1}));
  std::uint32_t value = 0;
  CHECK_FALSE(b->access(b->device, false, kMsiBase, value));
  CHECK(b->bridge.pending_interrupts() == 0);
}
