#include "gpu/model/register_map.h"

#include <algorithm>
#include <cstring>

#include "platform/core/check.h"

namespace castor::gpu {

void RegisterMap::add(const reg::BlockDef& block, const Place& place, RegisterBank& bank) {
  const auto at = std::ranges::upper_bound(entries_, place.base, {}, [](const Entry& e) { return e.place.base; });
  CHECK(at == entries_.end() || place.base + block.bytes <= at->place.base, "register blocks overlap");
  CHECK(at == entries_.begin() || std::prev(at)->place.base + std::prev(at)->block.bytes <= place.base,
        "register blocks overlap");
  entries_.insert(at, Entry{block, place, &bank});
}

void RegisterMap::add_window(std::uint32_t base, std::span<const std::byte> bytes) {
  window_base_ = base;
  window_ = bytes;
}

const RegisterMap::Entry* RegisterMap::find(std::uint32_t offset) const {
  const auto after = std::ranges::upper_bound(entries_, offset, {}, [](const Entry& e) { return e.place.base; });
  if (after == entries_.begin()) return nullptr;
  const Entry& entry = *std::prev(after);
  return offset - entry.place.base < entry.block.bytes ? &entry : nullptr;
}

std::uint32_t RegisterMap::read(std::uint32_t offset) {
  if (offset >= window_base_ && offset - window_base_ + 4 <= window_.size() && offset % 4 == 0) {
    std::uint32_t word;
    std::memcpy(&word, window_.data() + (offset - window_base_), 4);
    return word;
  }
  if (const Entry* entry = find(offset)) {
    if (const auto value = entry->bank->read(offset - entry->place.base)) return *value;
  }
  hole_(offset, false);
  return ~0u;
}

void RegisterMap::write(std::uint32_t offset, std::uint32_t value) {
  const Entry* entry = find(offset);
  if (entry == nullptr || !entry->bank->write(offset - entry->place.base, value)) hole_(offset, true);
}

void RegisterMap::read(std::uint64_t offset, std::span<std::byte> data) {
  std::ranges::fill(data, std::byte{0xff});
  if (offset % 4 != 0 || data.size() % 4 != 0) return hole_(static_cast<std::uint32_t>(offset), false);
  for (std::size_t i = 0; i < data.size(); i += 4) {
    const std::uint32_t word = read(static_cast<std::uint32_t>(offset + i));
    std::memcpy(&data[i], &word, 4);
  }
}

void RegisterMap::write(std::uint64_t offset, std::span<const std::byte> data) {
  if (offset % 4 != 0 || data.size() % 4 != 0) return hole_(static_cast<std::uint32_t>(offset), true);
  for (std::size_t i = 0; i < data.size(); i += 4) {
    std::uint32_t word;
    std::memcpy(&word, &data[i], 4);
    write(static_cast<std::uint32_t>(offset + i), word);
  }
}

std::vector<castor_discovery_block> RegisterMap::discovery() const {
  std::vector<castor_discovery_block> blocks;
  for (const Entry& entry : entries_) {
    blocks.push_back({.type = entry.block.type,
                      .version = entry.block.version,
                      .instance = entry.place.instance,
                      .die = entry.place.die,
                      .base = entry.place.base,
                      .bytes = entry.block.bytes,
                      .first_vector = entry.place.first_vector,
                      .vectors = entry.place.vectors,
                      .reserved = 0});
  }
  return blocks;
}

}  // namespace castor::gpu
