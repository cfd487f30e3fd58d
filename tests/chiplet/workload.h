// Packets and tiny kernels for the tests of the package.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/abi/module.h"
#include "tests/chiplet/test_driver.h"

namespace castor::test {

inline castor_packet_copy copy_packet(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  castor_packet_copy packet{};
  packet.header = CASTOR_PACKET_COPY;
  packet.rows = 1;
  packet.source = from;
  packet.destination = to;
  packet.row_bytes = packet.source_pitch = packet.destination_pitch = bytes;
  return packet;
}

inline castor_packet_semaphore semaphore_packet(castor_packet_type type, std::uint64_t address, std::uint64_t value) {
  castor_packet_semaphore packet{};
  packet.header = type;
  packet.address = address;
  packet.value = value;
  return packet;
}

inline castor_packet_dispatch dispatch_packet(std::uint64_t kernel, std::uint32_t grid, std::uint16_t block,
                                              std::uint64_t params) {
  castor_packet_dispatch packet{};
  packet.header = CASTOR_PACKET_DISPATCH;
  packet.block[0] = block;
  packet.block[1] = packet.block[2] = 1;
  packet.grid[0] = grid;
  packet.grid[1] = packet.grid[2] = 1;
  packet.local_bytes = 1024;
  packet.kernel = kernel;
  packet.params = params;
  return packet;
}

/// Assembles a kernel; returns its descriptor and code as they lie in memory: the descriptor, then the code.
std::vector<std::uint8_t> kernel_image(const std::vector<std::string>& lines, std::uint32_t shared_static = 0);

/// A context with 2 MiB of device memory and 64 KiB of host memory mapped, and a queue.
struct Client {
  static constexpr std::uint64_t kDevice = 0x7000'0000'0000, kHost = 0x1234'5678'0000, kQueue = 0x5000'0000'0000;

  Client(TestDriver& driver, std::uint16_t pasid, unsigned vector);

  /// Puts a kernel at this offset of the device memory; returns its address in the context.
  std::uint64_t load(const std::vector<std::uint8_t>& image, std::uint64_t offset);
  void submit(const void* packet) {
    driver.push(queue, packet);
    driver.ring(queue);
  }
  /// Submits and waits for the packet's signal; false: its context was stopped, or it took too long.
  template <class Packet>
  bool finish(Packet packet, double limit_ms = 20000) {
    packet.signal = kHost + 0xff00;
    packet.signal_value = ++signals;
    submit(&packet);
    driver.bench.wait_until([&] { return host_word(0xff00) >= signals || error() != 0; }, limit_ms);
    return host_word(0xff00) == signals;
  }
  std::uint64_t& host_word(std::uint64_t offset) { return driver.bench.word(host_bus + offset); }
  std::uint64_t error() { return driver.bench.word(queue.page_bus + offsetof(castor_queue_page, error)); }

  TestDriver& driver;
  TestDriver::Context context;
  std::uint64_t device_address, host_bus;
  TestDriver::Queue queue;
  std::uint64_t signals = 0;
};

}  // namespace castor::test
