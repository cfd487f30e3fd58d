// A package with a host's memory above it and nothing else: no fabric, no board. Tests run as the host's only process.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "chiplet/model/package_module.h"
#include "platform/sim/async_event.h"
#include "platform/sim/systemc.h"

namespace castor::test {

class Bench : public sc_core::sc_module, private gpu::HostPort {
 public:
  static constexpr std::uint64_t kHostBase = 0x1'0000'0000, kHostBytes = 64u << 20;

  /// The one bench of the program: SystemC is elaborated once.
  static Bench& get();
  static chiplet::PackageSpec spec();

  /// Runs `body` as a SystemC process and returns when it has ended.
  void run(std::function<void()> body);

  // From within `run`.
  std::uint32_t read32(std::uint64_t offset);
  void write32(std::uint64_t offset, std::uint32_t value);
  bool access(unsigned bar, bool write, std::uint64_t offset, void* data, std::size_t bytes);
  void wait_ns(double ns);
  /// Waits for message `vector`; false: simulated time ran out first.
  bool wait_interrupt(unsigned vector, double limit_ns = 1e9);
  /// Waits until the condition holds, looking again whenever a thread of the host or the device has done something.
  bool wait_until(const std::function<bool()>& condition, double limit_ms = 5000);

  /// Host memory by bus address.
  std::byte* host(std::uint64_t bus) { return host_.data() + (bus - kHostBase); }
  std::uint64_t& word(std::uint64_t bus) { return *reinterpret_cast<std::uint64_t*>(host(bus)); }
  /// Takes whole pages of it.
  std::uint64_t take(std::uint64_t bytes);

  std::vector<unsigned> interrupts;  // messages so far
  std::uint64_t upstream_reads = 0, upstream_writes = 0;
  chiplet::PackageModule package;

 private:
  explicit Bench(sc_core::sc_module_name name);

  std::byte* direct(BusAddr address, std::uint64_t bytes) override;
  void interrupt(unsigned vector) override;
  void serve();
  void upstream(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  tlm_utils::simple_initiator_socket<Bench> bar0_, bar2_, bar4_;
  tlm_utils::simple_target_socket<Bench> upstream_;
  std::vector<std::byte> host_;
  std::uint64_t taken_ = 0;
  std::function<void()> body_;
  std::exception_ptr failure_;
  sc_core::sc_event start_;
};

}  // namespace castor::test
