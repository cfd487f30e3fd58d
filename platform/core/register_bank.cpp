#include "platform/core/register_bank.h"

#include <array>
#include <utility>

#include "platform/core/check.h"

namespace castor {

std::string_view name(RegisterAccess access) {
  static constexpr std::array<std::string_view, 6> kNames{"ro", "rw", "w1c", "w1s", "wo", "rc"};
  return kNames[static_cast<std::size_t>(access)];
}

RegisterBank::RegisterBank(std::span<const RegisterDef> registers)
    : registers_(registers),
      values_(registers.size()),
      write_handlers_(registers.size()),
      read_handlers_(registers.size()) {
  if (!registers.empty()) slots_.resize(registers.back().offset / 4 + 1);
  for (std::size_t i = 0; i < registers.size(); ++i)
    slots_[registers[i].offset / 4] = static_cast<std::uint16_t>(i + 1);
  reset();
}

std::optional<std::size_t> RegisterBank::find(std::uint32_t offset) const {
  if (offset % 4 != 0 || offset / 4 >= slots_.size() || slots_[offset / 4] == 0) return std::nullopt;
  return slots_[offset / 4] - 1u;
}

std::size_t RegisterBank::index(std::uint32_t offset) const {
  const auto found = find(offset);
  CHECK(found.has_value(), "a block asked its bank for a register that it has not");
  return *found;
}

std::optional<std::uint32_t> RegisterBank::read(std::uint32_t offset) {
  const auto found = find(offset);
  if (!found) return std::nullopt;
  const RegisterDef& def = registers_[*found];
  if (def.access == RegisterAccess::wo) return 0;
  const std::uint32_t value = read_handlers_[*found] ? read_handlers_[*found]() : values_[*found];
  if (def.access == RegisterAccess::rc) values_[*found] = 0;
  return value & def.mask;
}

bool RegisterBank::write(std::uint32_t offset, std::uint32_t value) {
  const auto found = find(offset);
  if (!found) return false;
  const RegisterDef& def = registers_[*found];
  value &= def.mask;
  switch (def.access) {
    case RegisterAccess::ro:
    case RegisterAccess::rc: return true;
    case RegisterAccess::rw: values_[*found] = value; break;
    case RegisterAccess::w1c: values_[*found] &= ~value; break;
    case RegisterAccess::w1s: values_[*found] |= value; break;
    case RegisterAccess::wo: break;
  }
  if (write_handlers_[*found]) write_handlers_[*found](value);
  return true;
}

std::uint32_t RegisterBank::get(std::uint32_t offset) const { return values_[index(offset)]; }

void RegisterBank::set(std::uint32_t offset, std::uint32_t value) {
  const std::size_t i = index(offset);
  values_[i] = value & registers_[i].mask;
}

void RegisterBank::set64(std::uint32_t offset, std::uint64_t value) {
  set(offset, static_cast<std::uint32_t>(value));
  set(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

void RegisterBank::on_write(std::uint32_t offset, WriteHandler handler) {
  write_handlers_[index(offset)] = std::move(handler);
}

void RegisterBank::on_read(std::uint32_t offset, ReadHandler handler) {
  read_handlers_[index(offset)] = std::move(handler);
}

void RegisterBank::reset() {
  for (std::size_t i = 0; i < registers_.size(); ++i) values_[i] = registers_[i].reset;
}

}  // namespace castor
