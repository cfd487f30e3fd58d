#include "gpu/model/device_memory.h"

#include <sys/mman.h>

#include "gpu/model/shared_bytes.h"
#include "platform/core/check.h"

namespace castor::gpu {

DeviceMemory::DeviceMemory(std::uint64_t bytes) : bytes_(bytes) {
  void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(base != MAP_FAILED, "the host has no address space left for the device memory; configure less of it");
  base_ = static_cast<std::byte*>(base);
}

DeviceMemory::~DeviceMemory() { ::munmap(base_, bytes_); }

std::uint64_t DeviceMemory::load64(DevAddr address) const { return shared_load64(base_ + address.value); }

void DeviceMemory::store64(DevAddr address, std::uint64_t value) { shared_store64(base_ + address.value, value); }

bool DeviceMemory::read(DevAddr address, std::span<std::byte> data) const {
  if (!contains(address, data.size())) return false;
  shared_read(data, base_ + address.value);
  return true;
}

bool DeviceMemory::write(DevAddr address, std::span<const std::byte> data) {
  if (!contains(address, data.size())) return false;
  shared_write(base_ + address.value, data);
  return true;
}

void DeviceMemory::clear() { ::madvise(base_, bytes_, MADV_DONTNEED); }

}  // namespace castor::gpu
