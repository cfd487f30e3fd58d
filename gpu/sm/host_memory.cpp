#include "gpu/sm/host_memory.h"

#include <sys/mman.h>

#include <cstring>

namespace castor::sm {

bool HostMemory::reserve(std::size_t bytes) {
  if (bytes <= size_) return true;
  release();
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  data_ = static_cast<std::byte*>(mapped);
  size_ = bytes;
  return true;
}

void HostMemory::release() {
  if (data_ != nullptr) munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

void HostMemory::zero(std::size_t bytes) {
  constexpr std::size_t kGiveBack = 256u << 10;  // from here on the kernel is quicker than memset
  if (bytes > size_) bytes = size_;
  if (bytes == 0) return;
  if (bytes < kGiveBack || madvise(data_, bytes, MADV_DONTNEED) != 0) std::memset(data_, 0, bytes);
}

}  // namespace castor::sm
