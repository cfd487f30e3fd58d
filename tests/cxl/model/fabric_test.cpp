// Root complex, link and endpoint together: routing, bus mastering, order and time of what goes over the link.
#include <cstring>
#include <vector>

#include "cxl/model/endpoint_module.h"
#include "cxl/model/link_module.h"
#include "cxl/model/root_complex_module.h"
#include "platform/sim/fresh_simulation.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

#include "tests/support/catch.h"

using namespace castor;
using namespace castor::cxl;

namespace {

/// Stands for the device and for the host's memory: notes what reaches it.
struct Memory : sc_core::sc_module {
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), in("in") {
    in.register_b_transport(this, &Memory::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    last_address = payload.get_address();
    ++accesses;
    const auto* tlp = payload.get_extension<sim::Tlp>();
    last_kind = tlp->kind;
    last_requester = tlp->requester;
    if (payload.is_read()) std::memset(payload.get_data_ptr(), 0x5a, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Memory> in;
  std::uint64_t last_address = 0;
  int accesses = 0;
  sim::TlpKind last_kind{};
  std::uint16_t last_requester = 0;
};

struct Fabric : sc_core::sc_module {
  SC_HAS_PROCESS(Fabric);
  explicit Fabric(sc_core::sc_module_name name)
      : sc_module(name),
        cpu("cpu"),
        dma("dma"),
        root("root", LinkSpec{}, trace),
        link("link0", LinkSpec{.generation = 5, .lanes = 16, .latency_ns = 100}, trace),
        endpoint("endpoint", EndpointSpec{.bar2_bytes = 1u << 20, .bar4_bytes = 1u << 20}),
        host("host"),
        registers("registers"),
        doorbells("doorbells"),
        window("window") {
    cpu.bind(root.host);
    root.port_down.bind(link.upper_in);
    link.lower_out.bind(endpoint.link_in);
    endpoint.link_out.bind(link.lower_in);
    link.upper_out.bind(root.port_up);
    root.memory.bind(host.in);
    endpoint.bar0.bind(registers.in);
    endpoint.bar2.bind(doorbells.in);
    endpoint.bar4.bind(window.in);
    dma.bind(endpoint.device);
    trace.enable([this](const std::string& line) { lines.push_back(line); });
    SC_THREAD(run);
  }
  void run() { test(*this); }

  bool access(sim::TlpKind kind, std::uint64_t address, std::uint32_t& value, unsigned bytes = 4) {
    sim::Transaction transaction(kind, "cpu", address, &value, bytes);
    elapsed = sc_core::SC_ZERO_TIME;
    cpu->b_transport(transaction, elapsed);
    return transaction.ok();
  }
  std::uint32_t config_read(std::uint64_t address, unsigned bytes = 4) {
    std::uint32_t value = 0;
    return access(sim::TlpKind::config_read, address, value, bytes) ? value : ~0u;
  }
  void config_write(std::uint64_t address, std::uint32_t value, unsigned bytes = 4) {
    (void)access(sim::TlpKind::config_write, address, value, bytes);
  }
  bool dma_write(std::uint64_t address) {
    std::uint32_t value = 1;
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    sc_core::sc_time delay;
    dma->b_transport(payload, delay);
    return payload.is_response_ok();
  }
  /// Bus 1 below the port, BAR0 at 0x40000000, BAR2 at 0x41000000, windows and decoding open.
  void bring_up() {
    config_write(kPort + 0x18, 0x00010100);
    config_write(kPort + 0x20, 0x41f04000);
    config_write(kPort + 0x24, 0x0001fff1);
    config_write(kPort + 0x04, 0x6, 2);
    config_write(kDevice + 0x10, 0x40000000);
    config_write(kDevice + 0x18, 0x41000000);
    config_write(kDevice + 0x04, 0x6, 2);
  }

  static constexpr std::uint64_t kPort = 1 << 15, kDevice = 1 << 20;
  sim::TransactionTrace trace;
  std::vector<std::string> lines;
  std::function<void(Fabric&)> test;
  sc_core::sc_time elapsed;
  tlm_utils::simple_initiator_socket<Fabric> cpu, dma;
  RootComplexModule root;
  LinkModule link;
  EndpointModule endpoint;
  Memory host, registers, doorbells, window;
};

void run(std::function<void(Fabric&)> test) {
  sim::fresh_simulation();
  Fabric fabric("fabric");
  fabric.test = std::move(test);
  sc_core::sc_start();
}

}  // namespace

TEST_CASE("only the port and, behind it, the device are there") {
  run([](Fabric& fabric) {
    for (unsigned device = 0; device < 32; ++device) {
      const std::uint32_t id = fabric.config_read(std::uint64_t{device} << 15);
      CHECK((id == 0xffffffff) == (device != 1));
    }
    CHECK(fabric.config_read(Fabric::kDevice) == 0xffffffff);  // no bus number yet
    fabric.config_write(Fabric::kPort + 0x18, 0x00010100);
    CHECK(fabric.config_read(Fabric::kDevice) == 0x2d1eca57);
    CHECK(fabric.config_read(Fabric::kDevice + (1 << 15)) == 0xffffffff);
    CHECK(fabric.config_read(Fabric::kDevice + (1 << 12)) == 0xffffffff);
    CHECK(fabric.config_read(2 << 20) == 0xffffffff);
  });
}

TEST_CASE("host accesses reach a BAR through windows that are open, and nothing else") {
  run([](Fabric& fabric) {
    std::uint32_t value = 0;
    CHECK_FALSE(fabric.access(sim::TlpKind::memory_read, 0x40000010, value));
    fabric.bring_up();
    REQUIRE(fabric.access(sim::TlpKind::memory_read, 0x40000010, value));
    CHECK(value == 0x5a5a5a5a);
    CHECK(fabric.registers.last_address == 0x10);
    REQUIRE(fabric.access(sim::TlpKind::memory_write, 0x41000090, value));
    CHECK(fabric.doorbells.last_address == 0x90);
    CHECK_FALSE(fabric.access(sim::TlpKind::memory_read, 0x41100000, value));  // in the window, in no BAR
    CHECK_FALSE(fabric.access(sim::TlpKind::memory_read, 0x42000000, value));  // past the window
    fabric.config_write(Fabric::kPort + 0x04, 0x4, 2);
    CHECK_FALSE(fabric.access(sim::TlpKind::memory_read, 0x40000010, value));
  });
}

TEST_CASE("the device reaches the host only as bus master, through a port that forwards") {
  run([](Fabric& fabric) {
    CHECK_FALSE(fabric.dma_write(0x80000000));
    CHECK_FALSE(fabric.endpoint.may_master());
    fabric.bring_up();
    CHECK(fabric.endpoint.may_master());
    CHECK(fabric.dma_write(0x80000000));
    CHECK(fabric.host.last_address == 0x80000000);
    CHECK(fabric.host.last_requester == 0x0100);
    fabric.config_write(Fabric::kDevice + 0x04, 0x2, 2);
    CHECK_FALSE(fabric.dma_write(0x80000000));
    fabric.config_write(Fabric::kDevice + 0x04, 0x6, 2);
    fabric.config_write(Fabric::kPort + 0x04, 0x2, 2);
    CHECK_FALSE(fabric.dma_write(0x80000000));
    CHECK((fabric.config_read(Fabric::kDevice + 0x04) >> 29 & 1) == 1);  // received master abort
  });
}

TEST_CASE("an interrupt is a write that the endpoint makes") {
  run([](Fabric& fabric) {
    fabric.bring_up();
    const std::uint64_t table = 0x40000000 + (fabric.config_read(Fabric::kDevice + 0x54));
    std::uint32_t word = 0x28000000;
    REQUIRE(fabric.access(sim::TlpKind::memory_write, table + 16 * 3, word));
    word = 7;
    REQUIRE(fabric.access(sim::TlpKind::memory_write, table + 16 * 3 + 8, word));
    fabric.config_write(Fabric::kDevice + 0x52, 0x8000, 2);
    fabric.endpoint.raise(3);
    CHECK(fabric.host.accesses == 0);
    word = 0;
    REQUIRE(fabric.access(sim::TlpKind::memory_write, table + 16 * 3 + 12, word));  // unmask
    CHECK(fabric.host.accesses == 1);
    CHECK(fabric.host.last_address == 0x28000000);
    CHECK(fabric.host.last_kind == sim::TlpKind::msix);
    CHECK(fabric.registers.accesses == 0);
  });
}

TEST_CASE("a read takes two flights, a write one, and the trace shows request and completion in order") {
  run([](Fabric& fabric) {
    fabric.bring_up();
    fabric.lines.clear();
    std::uint32_t value = 0;
    (void)fabric.access(sim::TlpKind::memory_write, 0x40000000, value);
    CHECK(fabric.elapsed >= sim::nanoseconds(100));
    CHECK(fabric.elapsed < sim::nanoseconds(120));
    (void)fabric.access(sim::TlpKind::memory_read, 0x40000000, value);
    CHECK(fabric.elapsed >= sim::nanoseconds(200));
    CHECK(fabric.elapsed < sim::nanoseconds(230));
    REQUIRE(fabric.lines.size() == 3);
    CHECK(fabric.lines[0].find("MWr") != std::string::npos);
    CHECK(fabric.lines[1].find("MRd") != std::string::npos);
    CHECK(fabric.lines[2].find("CplD") != std::string::npos);
    CHECK(fabric.lines[2].find("0x5a5a5a5a") != std::string::npos);
  });
}

TEST_CASE("a secondary-bus reset cuts the device off while it lasts") {
  run([](Fabric& fabric) {
    fabric.bring_up();
    int resets = 0;
    fabric.root.on_bus_reset([&] {
      ++resets;
      fabric.endpoint.reset();
    });
    fabric.config_write(Fabric::kPort + 0x3e, 0x40, 2);
    CHECK(resets == 1);
    CHECK(fabric.config_read(Fabric::kDevice) == 0xffffffff);
    fabric.config_write(Fabric::kPort + 0x3e, 0, 2);
    CHECK(resets == 1);
    CHECK(fabric.config_read(Fabric::kDevice) == 0x2d1eca57);
    CHECK((fabric.config_read(Fabric::kDevice + 0x04, 2)) == 0);
    CHECK_FALSE(fabric.endpoint.may_master());
    CHECK_FALSE(fabric.dma_write(0x80000000));
  });
}
