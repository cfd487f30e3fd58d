// Gsp: the firmware hart with its ROM, SRAM and blocks GSP and GSP_LOCAL. Knows no SystemC; gsp_module.h gives it time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gpu/hart/hart.h"
#include "gpu/model/register_map.h"
#include "platform/core/bus.h"

namespace castor::gpu {

class Gsp final : private Bus {
 public:
  struct Spec {
    std::uint32_t base = 0;  // of block GSP in BAR0
    bool signed_only = false;
    std::span<const std::byte> rom;
  };
  struct Ports {
    RegisterMap& registers;       // what the hart sees at CASTOR_GSP_BAR0
    std::span<std::byte> memory;  // device memory, at CASTOR_GSP_MEMORY
    std::function<bool(BusAddr address, std::span<std::byte> data, bool to_host)> dma;  // may take simulated time
    std::function<void(unsigned source)> raise;                                         // an interrupt source
    std::function<void()> wake;                                                         // `runnable` may have changed
    std::function<void(char)> console;
  };
  Gsp(const Spec& spec, Ports ports);

  RegisterBank& bank() { return bank_; }
  RegisterBank& local_bank() { return local_; }

  /// Bits of GSP_LOCAL.IRQ_PENDING become pending.
  void interrupt(std::uint32_t causes);
  /// What FAULTED_PASID and FAULTED_INDEX say, then the interrupt.
  void context_faulted(std::uint16_t pasid, std::uint32_t index);

  bool runnable() const { return running_ && (restart_ || !asleep_ || hart_.wakes()); }
  /// Executes about so many instructions, fewer when there is nothing to do.
  void run(std::uint64_t instructions);
  void reset();

 private:
  Status read(BusAddr address, std::span<std::byte> data) override;
  Status write(BusAddr address, std::span<const std::byte> data) override;
  bool write_own(std::uint64_t offset, std::span<const std::byte> data);

  void connect_bank();
  void connect_local();
  void power(bool on);
  void update();
  std::span<std::byte> sram_at(std::uint32_t address, std::uint32_t bytes);
  bool transfer(bool to_host);
  void fail(std::uint32_t failure, std::uint64_t info, std::uint32_t cause);

  Spec spec_;
  Ports ports_;
  RegisterBank bank_, local_;
  std::vector<std::byte> rom_, sram_;
  hart::Hart hart_;
  bool running_ = false, asleep_ = false, restart_ = false;
  unsigned generation_ = 0;  // of power-ups, so that a transfer that outlives one is noticed
};

}  // namespace castor::gpu
