#include "cxl/model/endpoint.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "platform/core/check.h"

namespace castor::cxl {
namespace {

// Where the capabilities lie; software finds them by walking the lists.
constexpr std::uint16_t kPm = 0x40, kMsix = 0x50, kPcie = 0x60;
constexpr std::uint16_t kAer = 0x100, kSerial = 0x150, kRebar = 0x160;
constexpr std::uint64_t kSmallestBar = 1u << 20;  // so that root port windows can hold it alone

std::uint16_t bar_register(unsigned bar) { return static_cast<std::uint16_t>(CASTOR_PCI_HEADER_BAR0 + 4 * bar); }

unsigned log2(std::uint64_t size) { return static_cast<unsigned>(std::countr_zero(size)); }

Status check_bar(const char* what, std::uint64_t bytes) {
  if (std::has_single_bit(bytes) && bytes >= kSmallestBar) return {};
  return {StatusCode::invalid_value,
          fmt::format("{} is {} bytes; it must be a power of two of at least 1 MiB", what, bytes)};
}

void add_link_facts(ConfigSpace& config, const LinkSpec& link) {
  const std::uint32_t facts = CASTOR_CFG_PUT(link.generation, CASTOR_PCI_PCIE_LINK_CAP_SPEED) |
                              CASTOR_CFG_PUT(link.lanes, CASTOR_PCI_PCIE_LINK_CAP_WIDTH);
  config.fix(kPcie + CASTOR_PCI_PCIE_LINK_CAP, 4, facts);
  config.fix(kPcie + CASTOR_PCI_PCIE_LINK_STATUS, 2, facts);
}

}  // namespace

Status EndpointSpec::check() const {
  if (Status status = check_bar("BAR0", bar0_bytes); !status.ok()) return status;
  if (Status status = check_bar("BAR2", bar2_bytes); !status.ok()) return status;
  if (Status status = check_bar("BAR4", bar4_bytes); !status.ok()) return status;
  if (bar4_bytes > 1ull << 47) return {StatusCode::invalid_value, "BAR4 holds at most 128 TiB"};
  if (bar0_bytes > 1u << 30 || bar2_bytes > 1u << 30)
    return {StatusCode::invalid_value, "BAR0 and BAR2 are 32-bit BARs and hold at most 1 GiB each"};
  if (vectors < 1 || vectors > kMaxVectors)
    return {StatusCode::invalid_value, fmt::format("{} MSI-X vectors; there can be 1 to {}", vectors, kMaxVectors)};
  return {};
}

Endpoint::Endpoint(const EndpointSpec& spec) : spec_(spec), config_(structure("HEADER")) {
  CHECK(spec.check().ok(), "endpoint specification not checked");
  config_.fix(CASTOR_PCI_HEADER_VENDOR, 2, spec.vendor);
  config_.fix(CASTOR_PCI_HEADER_DEVICE, 2, spec.device);
  config_.fix(CASTOR_PCI_HEADER_SUBSYSTEM_VENDOR, 2, spec.vendor);
  config_.fix(CASTOR_PCI_HEADER_SUBSYSTEM, 2, spec.device);
  config_.fix(CASTOR_PCI_HEADER_CLASS, 3, spec.class_code);
  config_.fix(bar_register(4), 4, CASTOR_PCI_BAR_64 | CASTOR_PCI_BAR_PREFETCH);

  config_.add(structure("PM"), kPm);
  config_.add(structure("MSIX"), kMsix);
  config_.fix(kMsix + CASTOR_PCI_MSIX_CONTROL, 2, spec.vectors - 1);
  config_.fix(kMsix + CASTOR_PCI_MSIX_TABLE, 4, static_cast<std::uint32_t>(spec.bar0_bytes - kMsixTableBeforeEnd));
  config_.fix(kMsix + CASTOR_PCI_MSIX_PENDING, 4, static_cast<std::uint32_t>(spec.bar0_bytes - kMsixPendingBeforeEnd));
  config_.add(structure("PCIE"), kPcie);
  add_link_facts(config_, spec.link);

  config_.add(structure("AER"), kAer);
  config_.add(structure("SERIAL"), kSerial);
  config_.fix(kSerial + CASTOR_PCI_SERIAL_LOW, 4, static_cast<std::uint32_t>(spec.serial));
  config_.fix(kSerial + CASTOR_PCI_SERIAL_HIGH, 4, static_cast<std::uint32_t>(spec.serial >> 32));
  config_.add(structure("REBAR"), kRebar);
  const unsigned largest = log2(spec.bar4_bytes) - 20;
  // Bit 4 + n stands for 2^(20 + n); sizes past 2^47 would need bits that this register does not have.
  config_.fix(kRebar + CASTOR_PCI_REBAR_CAP, 4, ((2u << largest) - 1) << 4);
  config_.fix(
      kRebar + CASTOR_PCI_REBAR_CONTROL, 4,
      config_.get(kRebar + CASTOR_PCI_REBAR_CONTROL, 4) | CASTOR_CFG_PUT(largest, CASTOR_PCI_REBAR_CONTROL_SIZE));
  reset();
}

void Endpoint::reset() {
  const std::uint16_t id = state_.id;
  config_.reset();
  state_ = State{};
  state_.id = id;
  for (castor_msix_entry& entry : state_.table) entry.control = CASTOR_MSIX_MASKED;
  apply_bar_sizes();
}

void Endpoint::apply_bar_sizes() {
  for (const unsigned bar : {0u, 2u, 4u}) {
    const std::uint64_t mask = ~(bar_bytes(bar) - 1);
    config_.make_writable(bar_register(bar), static_cast<std::uint32_t>(mask) & ~CASTOR_PCI_BAR_FLAGS);
    if (bar == 4) config_.make_writable(bar_register(5), static_cast<std::uint32_t>(mask >> 32));
  }
}

bool Endpoint::config_write(std::uint16_t id, std::uint16_t offset, unsigned bytes, std::uint32_t value) {
  state_.id = id;
  constexpr std::uint16_t kSize = kRebar + CASTOR_PCI_REBAR_CONTROL;
  const std::uint32_t size_before = config_.get(kSize, 4);
  config_.write(offset, bytes, value);
  if (config_.get(kSize, 4) != size_before) {
    const unsigned size = CASTOR_CFG_GET(config_.get(kSize, 4), CASTOR_PCI_REBAR_CONTROL_SIZE);
    const bool possible = size < 28 && (config_.get(kRebar + CASTOR_PCI_REBAR_CAP, 4) >> (4 + size) & 1) != 0;
    if (!possible) config_.set(kSize, 4, size_before);
    apply_bar_sizes();
    // Address bits that the larger BAR no longer has read zero.
    config_.set(bar_register(4), 4,
                static_cast<std::uint32_t>(bar_base(4)) | CASTOR_PCI_BAR_64 | CASTOR_PCI_BAR_PREFETCH);
  }
  constexpr std::uint16_t kControl = kPcie + CASTOR_PCI_PCIE_DEVICE_CONTROL;
  if ((config_.get(kControl, 2) & CASTOR_CFG_MASK(CASTOR_PCI_PCIE_DEVICE_CONTROL_RESET)) == 0) return false;
  reset();
  return true;
}

std::uint64_t Endpoint::bar_bytes(unsigned bar) const {
  switch (bar) {
    case 0: return spec_.bar0_bytes;
    case 2: return spec_.bar2_bytes;
    case 4:
      return std::uint64_t{1} << (20 + CASTOR_CFG_GET(config_.get(kRebar + CASTOR_PCI_REBAR_CONTROL, 4),
                                                      CASTOR_PCI_REBAR_CONTROL_SIZE));
    default: return 0;
  }
}

std::uint64_t Endpoint::bar_base(unsigned bar) const {
  std::uint64_t base = config_.get(bar_register(bar), 4) & ~CASTOR_PCI_BAR_FLAGS;
  if (bar == 4) base |= static_cast<std::uint64_t>(config_.get(bar_register(5), 4)) << 32;
  return base & ~(bar_bytes(bar) - 1);
}

bool Endpoint::in_d0() const {
  return (config_.get(kPm + CASTOR_PCI_PM_CONTROL, 2) & CASTOR_CFG_MASK(CASTOR_PCI_PM_CONTROL_STATE)) == 0;
}

bool Endpoint::may_master() const {
  return in_d0() &&
         (config_.get(CASTOR_PCI_HEADER_COMMAND, 2) & CASTOR_CFG_MASK(CASTOR_PCI_HEADER_COMMAND_MASTER)) != 0;
}

std::optional<Endpoint::Hit> Endpoint::decode(std::uint64_t address, std::uint64_t bytes) const {
  const bool decodes =
      (config_.get(CASTOR_PCI_HEADER_COMMAND, 2) & CASTOR_CFG_MASK(CASTOR_PCI_HEADER_COMMAND_MEMORY)) != 0;
  if (!decodes || !in_d0()) return {};
  for (const unsigned bar : {0u, 2u, 4u}) {
    const std::uint64_t offset = address - bar_base(bar);
    if (offset < bar_bytes(bar) && bytes <= bar_bytes(bar) - offset) return Hit{bar, offset};
  }
  return {};
}

bool Endpoint::owns(std::uint64_t offset) const { return offset >= spec_.bar0_bytes - kMsixTableBeforeEnd; }

bool Endpoint::msix_read(std::uint64_t offset, std::span<std::byte> data) const {
  if ((data.size() != 4 && data.size() != 8) || offset % data.size() != 0) return false;
  std::memset(data.data(), 0, data.size());
  const std::uint64_t table = offset - (spec_.bar0_bytes - kMsixTableBeforeEnd);
  const std::uint64_t pending = offset - (spec_.bar0_bytes - kMsixPendingBeforeEnd);
  if (table < sizeof(castor_msix_entry) * spec_.vectors)
    std::memcpy(data.data(), reinterpret_cast<const std::byte*>(state_.table.data()) + table, data.size());
  else if (pending < sizeof state_.pending)
    std::memcpy(data.data(), reinterpret_cast<const std::byte*>(&state_.pending) + pending, data.size());
  return true;
}

bool Endpoint::msix_write(std::uint64_t offset, std::span<const std::byte> data) {
  if ((data.size() != 4 && data.size() != 8) || offset % data.size() != 0) return false;
  const std::uint64_t table = offset - (spec_.bar0_bytes - kMsixTableBeforeEnd);
  if (table >= sizeof(castor_msix_entry) * spec_.vectors) return true;  // reserved space and pending bits: no effect
  std::memcpy(reinterpret_cast<std::byte*>(state_.table.data()) + table, data.data(), data.size());
  castor_msix_entry& entry = state_.table[table / sizeof(castor_msix_entry)];
  entry.address_low &= ~3u;
  entry.control &= CASTOR_MSIX_MASKED;
  return true;
}

void Endpoint::raise(unsigned vector) {
  if (vector < spec_.vectors) state_.pending |= std::uint64_t{1} << vector;
}

std::vector<MsixMessage> Endpoint::take_messages() {
  const std::uint32_t control = config_.get(kMsix + CASTOR_PCI_MSIX_CONTROL, 2);
  const bool on = (control & CASTOR_CFG_MASK(CASTOR_PCI_MSIX_CONTROL_ENABLE)) != 0 &&
                  (control & CASTOR_CFG_MASK(CASTOR_PCI_MSIX_CONTROL_MASK)) == 0;
  std::vector<MsixMessage> messages;
  if (!on || !may_master()) return messages;
  for (unsigned vector = 0; vector < spec_.vectors; ++vector) {
    const castor_msix_entry& entry = state_.table[vector];
    const std::uint64_t bit = std::uint64_t{1} << vector;
    if ((state_.pending & bit) == 0 || (entry.control & CASTOR_MSIX_MASKED) != 0) continue;
    state_.pending &= ~bit;
    messages.push_back({vector, entry.address_low | static_cast<std::uint64_t>(entry.address_high) << 32, entry.data});
  }
  return messages;
}

void Endpoint::note_unsupported(std::uint64_t address, std::uint64_t bytes) {
  config_.set_bits(kPcie + CASTOR_PCI_PCIE_DEVICE_STATUS, 2,
                   CASTOR_CFG_MASK(CASTOR_PCI_PCIE_DEVICE_STATUS_UNSUPPORTED));
  constexpr std::uint32_t kUnsupported = CASTOR_CFG_MASK(CASTOR_PCI_AER_UNCORRECTABLE_STATUS_UNSUPPORTED);
  if (config_.get(kAer + CASTOR_PCI_AER_UNCORRECTABLE_STATUS, 4) == 0) {
    config_.set(kAer + CASTOR_PCI_AER_CONTROL, 4, CASTOR_PCI_AER_UNCORRECTABLE_STATUS_UNSUPPORTED_SHIFT);
    config_.set(kAer + CASTOR_PCI_AER_HEADER_LOG0, 4, static_cast<std::uint32_t>(address));
    config_.set(kAer + CASTOR_PCI_AER_HEADER_LOG1, 4, static_cast<std::uint32_t>(address >> 32));
    config_.set(kAer + CASTOR_PCI_AER_HEADER_LOG2, 4, static_cast<std::uint32_t>(bytes));
  }
  config_.set_bits(kAer + CASTOR_PCI_AER_UNCORRECTABLE_STATUS, 4, kUnsupported);
}

void Endpoint::note_refused() {
  config_.set_bits(CASTOR_PCI_HEADER_STATUS, 2, CASTOR_CFG_MASK(CASTOR_PCI_HEADER_STATUS_RECEIVED_MASTER_ABORT));
}

}  // namespace castor::cxl
