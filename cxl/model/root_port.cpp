#include "cxl/model/root_port.h"

namespace castor::cxl {
namespace {

constexpr std::uint16_t kPm = 0x40, kPcie = 0x60, kAer = 0x100;
constexpr std::uint64_t kWindowGrain = 1u << 20;
constexpr std::uint32_t kRootPortType = 4;

}  // namespace

RootPort::RootPort(const LinkSpec& link) : config_(structure("BRIDGE")) {
  config_.fix(CASTOR_PCI_BRIDGE_VENDOR, 2, CASTOR_PCI_VENDOR_ID);
  config_.fix(CASTOR_PCI_BRIDGE_DEVICE, 2, CASTOR_PCI_ROOT_PORT_DEVICE_ID);
  config_.fix(CASTOR_PCI_BRIDGE_CLASS, 3, CASTOR_PCI_CLASS_BRIDGE);
  config_.add(structure("PM"), kPm);
  config_.add(structure("PCIE"), kPcie);
  config_.add(structure("AER"), kAer);
  const std::uint32_t cap = config_.get(kPcie + CASTOR_PCI_PCIE_CAP, 2);
  config_.fix(kPcie + CASTOR_PCI_PCIE_CAP, 2, cap | CASTOR_CFG_PUT(kRootPortType, CASTOR_PCI_PCIE_CAP_TYPE));
  const std::uint32_t facts = CASTOR_CFG_PUT(link.generation, CASTOR_PCI_PCIE_LINK_CAP_SPEED) |
                              CASTOR_CFG_PUT(link.lanes, CASTOR_PCI_PCIE_LINK_CAP_WIDTH);
  config_.fix(kPcie + CASTOR_PCI_PCIE_LINK_CAP, 4, facts);
  config_.fix(kPcie + CASTOR_PCI_PCIE_LINK_STATUS, 2, facts);
}

bool RootPort::config_write(std::uint16_t offset, unsigned bytes, std::uint32_t value) {
  const bool before = in_reset();
  config_.write(offset, bytes, value);
  return !before && in_reset();
}

bool RootPort::in_reset() const {
  return (config_.get(CASTOR_PCI_BRIDGE_BRIDGE_CONTROL, 2) & CASTOR_CFG_MASK(CASTOR_PCI_BRIDGE_BRIDGE_CONTROL_RESET)) !=
         0;
}

bool RootPort::command(std::uint32_t mask) const {
  return (config_.get(CASTOR_PCI_BRIDGE_COMMAND, 2) & mask) != 0 && !in_reset();
}

RootPort::Below RootPort::holds_bus(unsigned bus) const {
  const unsigned secondary = config_.get(CASTOR_PCI_BRIDGE_SECONDARY_BUS, 1);
  const unsigned subordinate = config_.get(CASTOR_PCI_BRIDGE_SUBORDINATE_BUS, 1);
  if (secondary == 0 || bus < secondary || bus > subordinate || in_reset()) return Below::no;
  return bus == secondary ? Below::type0 : Below::type1;
}

RootPort::Window RootPort::memory_window() const {
  const std::uint64_t base = config_.get(CASTOR_PCI_BRIDGE_MEMORY_BASE, 2) & 0xfff0u;
  const std::uint64_t limit = config_.get(CASTOR_PCI_BRIDGE_MEMORY_LIMIT, 2) & 0xfff0u;
  return {base << 16, (limit << 16) + (kWindowGrain - 1)};
}

RootPort::Window RootPort::prefetch_window() const {
  const std::uint64_t base = config_.get(CASTOR_PCI_BRIDGE_PREFETCH_BASE, 2) & 0xfff0u;
  const std::uint64_t limit = config_.get(CASTOR_PCI_BRIDGE_PREFETCH_LIMIT, 2) & 0xfff0u;
  const std::uint64_t base_upper = config_.get(CASTOR_PCI_BRIDGE_PREFETCH_BASE_UPPER, 4);
  const std::uint64_t limit_upper = config_.get(CASTOR_PCI_BRIDGE_PREFETCH_LIMIT_UPPER, 4);
  return {base_upper << 32 | base << 16, (limit_upper << 32 | limit << 16) + (kWindowGrain - 1)};
}

bool RootPort::forwards_down(std::uint64_t address, std::uint64_t bytes) const {
  return command(CASTOR_CFG_MASK(CASTOR_PCI_BRIDGE_COMMAND_MEMORY)) &&
         (memory_window().holds(address, bytes) || prefetch_window().holds(address, bytes));
}

bool RootPort::forwards_up() const { return command(CASTOR_CFG_MASK(CASTOR_PCI_BRIDGE_COMMAND_MASTER)); }

}  // namespace castor::cxl
