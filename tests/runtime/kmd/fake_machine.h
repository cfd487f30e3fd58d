// A machine for the driver core alone: configuration space of a root port and a GPU, registers, device memory, and a firmware that
// answers messages at once. Tests make it lie.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gpu/abi/gsp.h"
#include "gpu/abi/message.h"
#include "gpu/abi/page_table.h"
#include "gpu/abi/registers.h"
#include "runtime/kmd/kmd.h"

namespace castor::test {

class FakeMachine {
 public:
  static constexpr std::uint64_t kMemoryBytes = 64u << 20;
  static constexpr std::uint64_t kFirmwareBytes = 1u << 20;  // kept by the firmware, at the low end
  static constexpr std::uint32_t kGsp = 0x10000, kMmu = 0x11000, kIntr = 0x12000;
  static constexpr std::uint32_t kTable = 0x1000;

  FakeMachine();
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;
  ~FakeMachine();

  castor_kmd_port port{};
  std::vector<std::uint8_t> memory;  // of the device
  std::vector<std::uint8_t> table;   // discovery
  std::vector<std::string> log;
  std::vector<std::pair<castor_kmd_notice, std::uint32_t>> notices;
  std::vector<castor_message> messages;  // that the firmware got
  std::vector<std::uint64_t> doorbells;  // BAR2 offset << 32 | token
  std::map<std::uint64_t, std::vector<std::uint64_t>> pins;
  std::set<std::uint64_t> allocations;               // the driver's own, alive
  std::map<std::uint32_t, std::uint32_t> registers;  // by BAR0 offset
  std::uint64_t now = 0;
  std::vector<std::uint8_t> image_seen;  // what the boot ROM gathered
  bool memory_enabled = false, master_enabled = false, msix_enabled = false;

  // How it lies.
  bool boots = true;
  std::uint32_t boot_failure = 0;
  std::size_t host_allocations_left = ~std::size_t{0};
  std::function<void(castor_message& answer)> spoil = [](castor_message&) {};
  std::function<bool(const castor_message&)> answers = [](const castor_message&) { return true; };
  std::function<std::int32_t(const castor_message&)> status_for = [](const castor_message&) { return 0; };

  castor_discovery_header& discovery() { return *reinterpret_cast<castor_discovery_header*>(table.data()); }
  /// After a change of the table.
  void seal_table();
  castor_kmd_function enumerate();
  /// Opens the device; the result of castor_kmd_open.
  int open(castor_kmd** kmd);
  void raise(unsigned vector) { pending_ |= std::uint64_t{1} << vector; }
  void fault(const castor_fault_record& record);
  /// Puts an element into the status ring as the firmware would.
  void send_status(castor_message message);

  struct Config {
    std::array<std::uint8_t, 4096> bytes{};
    std::array<std::uint32_t, 6> bar_masks{};
    bool bridge = false;
  };
  std::map<std::uint16_t, Config> functions;  // as the fabric routes them now

 private:
  struct Dma {
    std::vector<std::uint8_t> bytes;
  };
  static FakeMachine& self(void* env) { return *static_cast<FakeMachine*>(env); }
  std::uint32_t config_read(std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes);
  void config_write(std::uint16_t bdf, std::uint32_t offset, std::uint32_t bytes, std::uint32_t value);
  Config* route(std::uint16_t bdf);
  std::uint32_t read32(std::uint64_t address);
  void write32(std::uint64_t address, std::uint32_t value);
  std::uint8_t* at_bus(std::uint64_t bus, std::size_t bytes);
  void boot();
  void doorbell();
  void answer(const castor_message& message);
  std::uint64_t pair(std::uint32_t low) { return registers[low] | std::uint64_t{registers[low + 4]} << 32; }
  std::uint64_t bar(int number);

  std::uint64_t pending_ = 0;
  std::map<std::uint64_t, Dma> dma_;
  std::uint64_t next_bus_ = 0x100000;
  std::uint32_t next_queue_ = 7;
};

std::uint32_t crc32c(const void* data, std::size_t bytes);

}  // namespace castor::test
