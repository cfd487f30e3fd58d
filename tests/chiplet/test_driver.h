// A driver just large enough for the tests, written from gpu/abi alone: boots the firmware, builds page tables, sends
// messages, makes queues. Everything from within Bench::run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/abi/discovery.h"
#include "gpu/abi/fault_record.h"
#include "gpu/abi/gsp.h"
#include "gpu/abi/message.h"
#include "gpu/abi/packet.h"
#include "gpu/abi/page_table.h"
#include "gpu/abi/registers.h"
#include "tests/chiplet/bench.h"

namespace castor::test {

std::uint32_t reference_crc32c(const void* data, std::size_t bytes);

class TestDriver {
 public:
  static constexpr std::uint32_t kFaultEntries = 8;

  explicit TestDriver(Bench& bench);

  /// The built firmware image.
  static std::vector<std::uint8_t> firmware();
  /// Loads it and waits for READY or FAILED; returns GSP.STATUS.
  std::uint32_t boot(std::vector<std::uint8_t> image, bool right_crc = true);
  std::uint32_t boot() { return boot(firmware()); }

  std::uint32_t base(unsigned type, unsigned instance = 0) const;
  std::uint32_t reg(unsigned type, std::uint32_t offset) { return bench.read32(base(type) + offset); }
  void set(unsigned type, std::uint32_t offset, std::uint32_t value) { bench.write32(base(type) + offset, value); }
  void set64(unsigned type, std::uint32_t offset, std::uint64_t value);

  /// Sends a message and waits for its answer.
  castor_message message(std::uint16_t function, std::vector<std::uint64_t> args);
  std::vector<castor_message> events;  // unsolicited ones met on the way

  struct Context {
    std::uint16_t pasid;
    std::uint64_t root;
  };
  Context make_context(std::uint16_t pasid);
  /// Device memory for the tests' use, in 2 MiB pieces.
  std::uint64_t take_device(std::uint64_t bytes = CASTOR_PAGE_2M);
  static constexpr std::uint64_t kRights = CASTOR_PTE_READ | CASTOR_PTE_WRITE | CASTOR_PTE_EXECUTE | CASTOR_PTE_ATOMIC;
  void map(const Context& context, std::uint64_t va, std::uint64_t target, bool host, std::uint64_t page,
           std::uint64_t rights = kRights);
  void unmap(const Context& context, std::uint64_t va, std::uint64_t page);

  struct Queue {
    std::uint64_t ring_bus, page_bus;
    std::uint32_t entries, token;
    std::uint16_t pasid;
    std::uint64_t put = 0;
  };
  /// Ring and page in host memory, mapped at `va`.
  Queue make_queue(const Context& context, std::uint64_t va, unsigned vector, std::uint32_t entries = 64);
  void push(Queue& queue, const void* packet);
  void ring(const Queue& queue);

  std::uint64_t read_device64(std::uint64_t address);
  void write_device(std::uint64_t address, const void* data, std::size_t bytes);
  void read_device(std::uint64_t address, void* data, std::size_t bytes);
  /// Records the device has written and we have not taken yet.
  std::vector<castor_fault_record> take_faults();

  Bench& bench;
  castor_discovery_header discovery{};

 private:
  std::uint64_t entry_address(const Context& context, std::uint64_t va, int level);
  void drain_status();

  std::vector<castor_discovery_block> blocks_;
  std::uint64_t command_ = 0, status_ = 0, faults_ = 0;
  std::uint64_t commands_sent_ = 0, status_read_ = 0;
  std::uint32_t sequence_ = 0, faults_taken_ = 0;
  std::uint64_t next_device_ = 0;
  std::map<std::uint32_t, castor_message> answers_;
};

}  // namespace castor::test
