// HostMemory: zeroed pages from the operating system that cost nothing until they are touched.
#pragma once

#include <cstddef>
#include <utility>

namespace castor::sm {

class HostMemory {
 public:
  HostMemory() = default;
  ~HostMemory() { release(); }
  HostMemory(HostMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HostMemory& operator=(HostMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  /// At least `bytes`; what was there is lost if it has to grow. False if the host has no memory.
  bool reserve(std::size_t bytes);
  void release();
  /// Reads as zero from now on.
  void zero(std::size_t bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace castor::sm
