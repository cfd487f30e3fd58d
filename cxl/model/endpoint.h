// Endpoint: the PCI Express function of the GPU: configuration space, BARs, MSI-X. No SystemC; endpoint_module.h adds sockets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cxl/model/config_space.h"
#include "cxl/model/link_spec.h"
#include "platform/core/status.h"

namespace castor::cxl {

struct EndpointSpec {
  std::uint16_t vendor = CASTOR_PCI_VENDOR_ID;
  std::uint16_t device = CASTOR_PCI_GPU_DEVICE_ID;
  std::uint32_t class_code = CASTOR_PCI_CLASS_GPU;
  std::uint64_t bar0_bytes = 16u << 20;  // powers of two, at least 1 MiB
  std::uint64_t bar2_bytes = 16u << 20;
  std::uint64_t bar4_bytes = 16ull << 30;
  unsigned vectors = 64;  // 1 to 64
  std::uint64_t serial = 1;
  LinkSpec link = {};

  Status check() const;
};

/// Where MSI-X lies: these many bytes before the end of BAR0.
inline constexpr std::uint64_t kMsixTableBeforeEnd = 0x20000;
inline constexpr std::uint64_t kMsixPendingBeforeEnd = 0x10000;
inline constexpr unsigned kMaxVectors = 64;

struct MsixMessage {
  unsigned vector;
  std::uint64_t address;
  std::uint32_t data;
};

class Endpoint {
 public:
  struct State {
    std::array<castor_msix_entry, kMaxVectors> table{};
    std::uint64_t pending = 0;
    std::uint16_t id = 0;  // bus << 8 | device << 3 | function, learnt from configuration writes
  };

  /// `spec.check()` must be ok.
  explicit Endpoint(const EndpointSpec& spec);

  std::uint32_t config_read(std::uint16_t offset, unsigned bytes) const { return config_.read(offset, bytes); }
  /// True: software asked for a function-level reset, which has been done here.
  bool config_write(std::uint16_t id, std::uint16_t offset, unsigned bytes, std::uint32_t value);

  struct Hit {
    unsigned bar;
    std::uint64_t offset;
  };
  /// The BAR that answers the access; nothing if none does or decoding is off.
  std::optional<Hit> decode(std::uint64_t address, std::uint64_t bytes) const;
  /// Base address and size of a BAR, whether it decodes or not.
  std::uint64_t bar_base(unsigned bar) const;
  std::uint64_t bar_bytes(unsigned bar) const;

  /// True if the offset in BAR0 belongs to MSI-X.
  bool owns(std::uint64_t bar0_offset) const;
  /// Accesses there: aligned, 4 or 8 bytes. False: refused.
  bool msix_read(std::uint64_t bar0_offset, std::span<std::byte> data) const;
  bool msix_write(std::uint64_t bar0_offset, std::span<const std::byte> data);

  void raise(unsigned vector);
  /// Messages that may go out now; they are no longer pending.
  std::vector<MsixMessage> take_messages();

  bool may_master() const;
  std::uint16_t id() const { return state_.id; }
  /// Notes an error in the status registers and in AER: a request at `address` that nothing here supports.
  void note_unsupported(std::uint64_t address, std::uint64_t bytes);
  /// A request of our own was refused by the fabric.
  void note_refused();

  void reset();
  const EndpointSpec& spec() const { return spec_; }

 private:
  bool in_d0() const;
  void apply_bar_sizes();

  EndpointSpec spec_;
  ConfigSpace config_;
  State state_;
};

}  // namespace castor::cxl
