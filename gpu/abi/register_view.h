// Typed view of the register rows: castor::gpu::reg::ce::CTRL::offset, castor::gpu::reg::ce::CTRL_ENABLE::put(1), and the
// rows of a block as data (castor::gpu::reg::ce::kRegisters) for the register bank, the manual page and the tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "platform/core/register_bank.h"

namespace castor::gpu::reg {

template <unsigned kShift, unsigned kWidth>
struct Field {
  static constexpr unsigned shift = kShift;
  static constexpr std::uint32_t mask = static_cast<std::uint32_t>(((std::uint64_t{1} << kWidth) - 1) << kShift);
  static constexpr std::uint32_t put(std::uint32_t value) { return (value << kShift) & mask; }
  static constexpr std::uint32_t get(std::uint32_t word) { return (word & mask) >> kShift; }
};

namespace boot {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/boot.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace boot
namespace intr {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/intr.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace intr
namespace gsp {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/gsp.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace gsp
namespace gsp_local {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/gsp_local.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace gsp_local
namespace mmu {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/mmu.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace mmu
namespace host {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/host.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace host
namespace ce {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/ce.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace ce
namespace dispatch {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/dispatch.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace dispatch
namespace die {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/die.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace die
namespace sm {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/sm.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace sm
namespace test {
#define CASTOR_REGISTER_ROWS "gpu/abi/registers/test.inc"
#include "gpu/abi/register_rows.inc"
#undef CASTOR_REGISTER_ROWS
}  // namespace test

/// One kind of register block, as data.
struct BlockDef {
  std::string_view name;
  std::uint16_t type;
  std::uint16_t version;
  std::uint32_t bytes;
  std::span<const RegisterDef> registers;
  std::span<const FieldDef> fields;
  std::string_view doc;
};

inline constexpr std::array kBlocks{
#define BLOCK(name, folder, type, version, bytes, doc) \
  BlockDef{#name, type, version, bytes, folder::kRegisters, folder::kFields, doc},
#include "gpu/abi/registers/blocks.inc"
#undef BLOCK
};

}  // namespace castor::gpu::reg
