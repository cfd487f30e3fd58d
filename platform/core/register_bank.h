// Register bank: 32-bit registers described by rows, with the access word of each deciding the bus answer. No SystemC.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace castor {

/// The closed list of access words (gpu/abi/registers.h says what each means to software).
enum class RegisterAccess : std::uint8_t { ro, rw, w1c, w1s, wo, rc };
std::string_view name(RegisterAccess access);

struct RegisterDef {
  std::string_view name;
  std::uint32_t offset;
  RegisterAccess access;
  std::uint32_t reset;
  std::uint32_t mask;  // bits that exist: the union of the fields
  std::string_view doc;
};

struct FieldDef {
  std::string_view reg;
  std::string_view name;
  std::uint32_t offset = ~0u;  // of the register; all ones ends a list
  unsigned shift = 0;
  unsigned width = 0;
  std::string_view doc;
};

/// Union of a register's fields; a register without fields has all 32 bits.
consteval std::uint32_t field_mask(std::span<const FieldDef> fields, std::uint32_t offset) {
  std::uint32_t mask = 0;
  for (const FieldDef& field : fields) {
    if (field.offset == offset)
      mask |= static_cast<std::uint32_t>(((std::uint64_t{1} << field.width) - 1) << field.shift);
  }
  return mask == 0 ? ~0u : mask;
}

consteval bool well_formed(std::span<const RegisterDef> registers) {
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const RegisterDef& def = registers[i];
    if (def.offset % 4 != 0 || (def.reset & ~def.mask) != 0) return false;
    if (i > 0 && registers[i - 1].offset >= def.offset) return false;
  }
  return true;
}

/// Values and handlers of one block. Software's accesses go through read/write and obey the access words; the block's own
/// go through get/set and do not.
class RegisterBank {
 public:
  using WriteHandler = std::function<void(std::uint32_t value)>;  // the value written, bits outside the fields zero
  using ReadHandler = std::function<std::uint32_t()>;

  explicit RegisterBank(std::span<const RegisterDef> registers);

  /// nullopt, or false: there is no register at this offset.
  std::optional<std::uint32_t> read(std::uint32_t offset);
  bool write(std::uint32_t offset, std::uint32_t value);

  std::uint32_t get(std::uint32_t offset) const;
  void set(std::uint32_t offset, std::uint32_t value);
  template <class Register>
  std::uint32_t get() const {
    return get(Register::offset);
  }
  template <class Register>
  void set(std::uint32_t value) {
    set(Register::offset, value);
  }
  /// A pair of registers, low half at `offset`, high half 4 further.
  std::uint64_t get64(std::uint32_t offset) const { return get(offset) | std::uint64_t{get(offset + 4)} << 32; }
  void set64(std::uint32_t offset, std::uint64_t value);
  template <class Low>
  std::uint64_t get64() const {
    return get64(Low::offset);
  }
  template <class Low>
  void set64(std::uint64_t value) {
    set64(Low::offset, value);
  }

  /// Called after the access word has been obeyed. At most one handler a register.
  template <class Register>
  void on_write(WriteHandler handler) {
    on_write(Register::offset, std::move(handler));
  }
  /// Supplies the value in place of the stored one.
  template <class Register>
  void on_read(ReadHandler handler) {
    on_read(Register::offset, std::move(handler));
  }
  void on_write(std::uint32_t offset, WriteHandler handler);
  void on_read(std::uint32_t offset, ReadHandler handler);

  void reset();
  std::span<const RegisterDef> registers() const { return registers_; }

 private:
  std::optional<std::size_t> find(std::uint32_t offset) const;
  std::size_t index(std::uint32_t offset) const;

  std::span<const RegisterDef> registers_;
  std::vector<std::uint16_t> slots_;  // offset / 4 → index + 1, 0: hole
  std::vector<std::uint32_t> values_;
  std::vector<WriteHandler> write_handlers_;
  std::vector<ReadHandler> read_handlers_;
};

}  // namespace castor
