#include "cxl/model/config_space.h"

#include <algorithm>

#include "platform/core/check.h"

namespace castor::cxl {
namespace {

void store(auto& bytes, std::uint16_t offset, unsigned count, std::uint32_t value) {
  for (unsigned i = 0; i < count; ++i) bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace

const cfg::StructureDef& structure(std::string_view name) {
  const auto found = std::ranges::find(cfg::kStructures, name, &cfg::StructureDef::name);
  CHECK(found != cfg::kStructures.end(), "no such structure");
  return *found;
}

ConfigSpace::ConfigSpace(const cfg::StructureDef& header) {
  place(header, 0);
  fix(CASTOR_PCI_HEADER_CAPABILITIES, 1, 0);
}

void ConfigSpace::place(const cfg::StructureDef& structure, std::uint16_t offset) {
  for (const cfg::ConfigDef& def : structure.registers) {
    const auto at = static_cast<std::uint16_t>(offset + def.offset);
    CHECK(complete(at, def.bytes), "structure past the end");
    store(bytes_, at, def.bytes, def.reset);
    store(writable_, at, def.bytes, def.writable);
    store(clearable_, at, def.bytes, def.clearable);
  }
  reset_ = bytes_;
}

void ConfigSpace::add(const cfg::StructureDef& capability, std::uint16_t offset) {
  CHECK(offset % 4 == 0 && read(offset, 4) == 0, "capability on top of another");
  place(capability, offset);
  link(capability.id, capability.extended, offset);
}

void ConfigSpace::link(std::uint16_t id, bool extended, std::uint16_t offset) {
  if (extended) {
    fix(offset, 4, id | 1u << 16);  // version 1, end of the list
    if (last_extended_ != 0) fix(last_extended_ + 2, 2, 1u | static_cast<std::uint32_t>(offset) << 4);
    last_extended_ = offset;
    return;
  }
  fix(offset + CASTOR_PCI_CAP_ID, 1, id);
  fix(last_ == 0 ? static_cast<std::uint16_t>(CASTOR_PCI_HEADER_CAPABILITIES)
                 : static_cast<std::uint16_t>(last_ + CASTOR_PCI_CAP_NEXT),
      1, offset);
  last_ = offset;
}

void ConfigSpace::fix(std::uint16_t offset, unsigned bytes, std::uint32_t value) {
  CHECK(complete(offset, bytes), "outside configuration space");
  store(bytes_, offset, bytes, value);
  store(reset_, offset, bytes, value);
}

void ConfigSpace::make_writable(std::uint16_t offset, std::uint32_t mask) { store(writable_, offset, 4, mask); }

std::uint32_t ConfigSpace::read(std::uint16_t offset, unsigned bytes) const {
  if (bytes > 4 || !complete(offset, bytes)) return ~0u;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= static_cast<std::uint32_t>(bytes_[offset + i]) << 8 * i;
  return value;
}

void ConfigSpace::write(std::uint16_t offset, unsigned bytes, std::uint32_t value) {
  if (bytes > 4 || !complete(offset, bytes)) return;
  for (unsigned i = 0; i < bytes; ++i) {
    const auto written = static_cast<std::uint8_t>(value >> 8 * i);
    std::uint8_t& byte = bytes_[offset + i];
    const std::uint8_t mask = writable_[offset + i];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (written & mask));
    byte = static_cast<std::uint8_t>(byte & ~(written & clearable_[offset + i]));
  }
}

void ConfigSpace::set(std::uint16_t offset, unsigned bytes, std::uint32_t value) {
  CHECK(complete(offset, bytes), "outside configuration space");
  store(bytes_, offset, bytes, value);
}

void ConfigSpace::set_bits(std::uint16_t offset, unsigned bytes, std::uint32_t bits) {
  set(offset, bytes, get(offset, bytes) | bits);
}

}  // namespace castor::cxl
