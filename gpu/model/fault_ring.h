// FaultRing: one fault ring's registers in block MMU, and the slot that the next record goes to.
#pragma once

#include <cstdint>
#include <optional>

#include "gpu/abi/fault_record.h"
#include "gpu/abi/register_view.h"
#include "platform/core/guest.h"

namespace castor::gpu {

class FaultRing {
 public:
  explicit FaultRing(RegisterBank& bank) : bank_(bank) {}

  /// Where the next record goes; nullopt, and LOST is set, if there is no ring or no room.
  std::optional<BusAddr> slot() {
    const std::uint32_t entries = bank_.get<reg::mmu::FATAL_ENTRIES>();
    if (entries == 0 || put() - bank_.get<reg::mmu::FATAL_GET>() >= entries) {
      lost();
      return std::nullopt;
    }
    return BusAddr{bank_.get64<reg::mmu::FATAL_BASE_LO>()} + sizeof(castor_fault_record) * (put() % entries);
  }
  std::uint32_t put() const { return bank_.get<reg::mmu::FATAL_PUT>(); }
  /// The record has been written.
  void advance() { bank_.set<reg::mmu::FATAL_PUT>(put() + 1); }
  void lost() { bank_.set<reg::mmu::FATAL_STATUS>(reg::mmu::FATAL_STATUS_LOST::put(1)); }

 private:
  RegisterBank& bank_;
};

}  // namespace castor::gpu
