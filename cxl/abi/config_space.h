/* Configuration space as the driver sees it: CASTOR_PCI_<STRUCTURE>_<REGISTER> is an offset from the structure (the header lies at
 * 0, capabilities where the list says), CASTOR_PCI_<STRUCTURE>_<REGISTER>_<FIELD>_SHIFT and _WIDTH describe a field.
 * C11; C++ has the rows as data in config_view.h. Rows: config/<structure>.inc.
 */
#ifndef CASTOR_CXL_ABI_CONFIG_SPACE_H
#define CASTOR_CXL_ABI_CONFIG_SPACE_H

#include <stdint.h>

/* Identity of the GPU function. The vendor number is ours alone: no company holds it. */
#define CASTOR_PCI_VENDOR_ID 0xca57u
#define CASTOR_PCI_GPU_DEVICE_ID 0x2d1eu
#define CASTOR_PCI_ROOT_PORT_DEVICE_ID 0x0001u
#define CASTOR_PCI_CLASS_GPU 0x030200u    /* 3D controller */
#define CASTOR_PCI_CLASS_BRIDGE 0x060400u /* PCI-to-PCI bridge */

#define CASTOR_PCI_CONFIG_BYTES 4096u
#define CASTOR_PCI_EXTENDED 0x100u /* where the extended capabilities begin */

/* BAR registers: what the low bits of one say. */
#define CASTOR_PCI_BAR_64 0x4u
#define CASTOR_PCI_BAR_PREFETCH 0x8u
#define CASTOR_PCI_BAR_FLAGS 0xfu

#define CASTOR_PCI_HEADER_TYPE_BRIDGE 1u /* HEADER_TYPE without bit 7 */

/* Every capability begins with these; an extended one has its id in bits 15..0, version in 19..16, next in 31..20 of one word. */
#define CASTOR_PCI_CAP_ID 0u
#define CASTOR_PCI_CAP_NEXT 1u

/* CASTOR_CFG_MASK(CASTOR_PCI_HEADER_COMMAND_MASTER), CASTOR_CFG_GET(word, …), CASTOR_CFG_PUT(value, …) */
#define CASTOR_CFG_MASK(field) ((unsigned)(((1ull << field##_WIDTH) - 1) << field##_SHIFT))
#define CASTOR_CFG_GET(word, field) (((unsigned)(word) & CASTOR_CFG_MASK(field)) >> field##_SHIFT)
#define CASTOR_CFG_PUT(value, field) (((unsigned)(value) << field##_SHIFT) & CASTOR_CFG_MASK(field))

enum castor_pci_capability {
#define STRUCTURE(name, folder, id, extended, doc) CASTOR_PCI_CAP_##name = id,
#include "cxl/abi/config/structures.inc"
#undef STRUCTURE
};

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_HEADER_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_HEADER_##reg##_##name##_SHIFT = shift, CASTOR_PCI_HEADER_##reg##_##name##_WIDTH = width,
enum castor_pci_header_registers {
#include "cxl/abi/config/header.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_BRIDGE_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_BRIDGE_##reg##_##name##_SHIFT = shift, CASTOR_PCI_BRIDGE_##reg##_##name##_WIDTH = width,
enum castor_pci_bridge_registers {
#include "cxl/abi/config/bridge.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_PM_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_PM_##reg##_##name##_SHIFT = shift, CASTOR_PCI_PM_##reg##_##name##_WIDTH = width,
enum castor_pci_pm_registers {
#include "cxl/abi/config/pm.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_MSIX_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_MSIX_##reg##_##name##_SHIFT = shift, CASTOR_PCI_MSIX_##reg##_##name##_WIDTH = width,
enum castor_pci_msix_registers {
#include "cxl/abi/config/msix.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_PCIE_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_PCIE_##reg##_##name##_SHIFT = shift, CASTOR_PCI_PCIE_##reg##_##name##_WIDTH = width,
enum castor_pci_pcie_registers {
#include "cxl/abi/config/pcie.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_AER_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_AER_##reg##_##name##_SHIFT = shift, CASTOR_PCI_AER_##reg##_##name##_WIDTH = width,
enum castor_pci_aer_registers {
#include "cxl/abi/config/aer.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_SERIAL_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_SERIAL_##reg##_##name##_SHIFT = shift, CASTOR_PCI_SERIAL_##reg##_##name##_WIDTH = width,
enum castor_pci_serial_registers {
#include "cxl/abi/config/serial.inc"
};
#undef CFG
#undef CFG_FIELD

#define CFG(name, offset, bytes, reset, writable, clearable, doc) CASTOR_PCI_REBAR_##name = offset,
#define CFG_FIELD(reg, name, shift, width, doc) \
  CASTOR_PCI_REBAR_##reg##_##name##_SHIFT = shift, CASTOR_PCI_REBAR_##reg##_##name##_WIDTH = width,
enum castor_pci_rebar_registers {
#include "cxl/abi/config/rebar.inc"
};
#undef CFG
#undef CFG_FIELD

/* One vector of the MSI-X table. */
struct castor_msix_entry {
  uint32_t address_low, address_high;
  uint32_t data;
  uint32_t control; /* CASTOR_MSIX_MASKED */
};
#define CASTOR_MSIX_MASKED 1u

#endif
