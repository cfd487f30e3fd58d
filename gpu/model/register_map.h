// RegisterMap: BAR0. Which block answers at an offset, and what becomes of accesses that none answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/abi/discovery.h"
#include "gpu/abi/register_view.h"
#include "platform/core/register_bank.h"

namespace castor::gpu {

class RegisterMap {
 public:
  using HoleHandler = std::function<void(std::uint32_t offset, bool write)>;

  /// `hole` hears of every access that no register answers.
  explicit RegisterMap(HoleHandler hole) : hole_(std::move(hole)) {}

  struct Place {
    std::uint32_t base;
    std::uint16_t instance = 0;
    std::uint16_t die = CASTOR_DISCOVERY_PACKAGE;
    std::uint16_t first_vector = 0, vectors = 0;
  };
  void add(const reg::BlockDef& block, const Place& place, RegisterBank& bank);
  /// A read-only window of plain bytes.
  void add_window(std::uint32_t base, std::span<const std::byte> bytes);

  /// Any offset and size of access: what is not an aligned word of a register is a hole, and reads all ones.
  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  /// The same for bus transactions of any length; words by ascending offset.
  void read(std::uint64_t offset, std::span<std::byte> data);
  void write(std::uint64_t offset, std::span<const std::byte> data);

  struct Entry {
    reg::BlockDef block;
    Place place;
    RegisterBank* bank;
  };
  std::span<const Entry> entries() const { return entries_; }
  /// Block records of the discovery table, in order of base.
  std::vector<castor_discovery_block> discovery() const;

 private:
  const Entry* find(std::uint32_t offset) const;

  HoleHandler hole_;
  std::vector<Entry> entries_;  // ascending base
  std::uint32_t window_base_ = 0;
  std::span<const std::byte> window_;
};

}  // namespace castor::gpu
