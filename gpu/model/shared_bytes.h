// Copies to and from memory that SM threads, the host program and the fabric use at the same time. Single aligned words move
// whole (what page tables, semaphores and indices lean on); longer pieces are plain copies, as ordered as the guest made them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace castor::gpu {

inline std::uint64_t shared_load64(const std::byte* from) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(from)))
      .load(std::memory_order_acquire);
}
inline void shared_store64(std::byte* to, std::uint64_t value) {
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(to)).store(value, std::memory_order_release);
}

template <class Word>
bool is_word(const std::byte* shared, std::size_t bytes) {
  return bytes == sizeof(Word) && reinterpret_cast<std::uintptr_t>(shared) % sizeof(Word) == 0;
}

inline void shared_read(std::span<std::byte> data, const std::byte* from) {
  if (is_word<std::uint64_t>(from, data.size())) {
    const std::uint64_t word = shared_load64(from);
    std::memcpy(data.data(), &word, sizeof word);
  } else if (is_word<std::uint32_t>(from, data.size())) {
    auto& shared = *reinterpret_cast<std::uint32_t*>(const_cast<std::byte*>(from));
    const std::uint32_t word = std::atomic_ref(shared).load(std::memory_order_acquire);
    std::memcpy(data.data(), &word, sizeof word);
  } else {
    std::memcpy(data.data(), from, data.size());
  }
}

inline void shared_write(std::byte* to, std::span<const std::byte> data) {
  if (is_word<std::uint64_t>(to, data.size())) {
    std::uint64_t word;
    std::memcpy(&word, data.data(), sizeof word);
    shared_store64(to, word);
  } else if (is_word<std::uint32_t>(to, data.size())) {
    std::uint32_t word;
    std::memcpy(&word, data.data(), sizeof word);
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(to)).store(word, std::memory_order_release);
  } else {
    std::memcpy(to, data.data(), data.size());
  }
}

}  // namespace castor::gpu
