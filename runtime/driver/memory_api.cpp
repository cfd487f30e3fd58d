// Chapters: memory management (allocation), unified addressing.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/driver/process.h"
#include "runtime/hal/access.h"

namespace castor::driver {
namespace {

constexpr std::uint64_t kPitchAlign = 512;
constexpr std::uint64_t kPage = 4096;

CUresult allocate_host(Context& context, std::size_t bytes, MemoryKind kind, unsigned flags, void* at,
                       hal::PinnedMemory& out) {
  auto memory = context.client().pin(bytes, at);
  if (!memory) return context.result(memory.status());
  if (Status status = context.client().map_host(context.id(), *memory, hal::kData); !status) {
    (void)context.client().unpin(*memory);
    return context.result(status);
  }
  context.memory().add({.kind = kind, .va = memory->va(), .bytes = bytes, .flags = flags, .pinned = *memory});
  out = *memory;
  return CUDA_SUCCESS;
}

/// Frees what the map has just given up. Work that still uses it ends first, as on silicon.
CUresult release(Context& context, const Allocation& allocation) {
  const CUresult drained = context.synchronize();
  Status status = context.client().free(context.id(), allocation.va);
  if (allocation.host()) {
    Status unpinned = context.client().unpin(allocation.pinned);
    if (status) status = unpinned;
  }
  return drained != CUDA_SUCCESS ? drained : context.result(status);
}

template <class Body>
CUresult with_context(Body body) {
  Context* context = nullptr;
  if (const CUresult result = use_current(context); result != CUDA_SUCCESS) return result;
  return body(*context);
}

/// Range of whole pages around registered memory.
struct Pages {
  std::uint64_t begin, bytes;
};
Pages pages_of(const void* pointer, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uint64_t>(pointer);
  const std::uint64_t begin = at & ~(kPage - 1);
  return {begin, ((at + bytes + kPage - 1) & ~(kPage - 1)) - begin};
}

/// Copies whole pages of the program, 8 bytes at a time. Around what it allocated there may be bytes that its address sanitizer
/// guards, so this is no memcpy, which the sanitizer checks.
[[gnu::no_sanitize_address]] void copy_pages(void* to, const void* from, std::uint64_t bytes) {
  auto* target = static_cast<volatile std::uint64_t*>(to);
  const auto* source = static_cast<const volatile std::uint64_t*>(from);
  for (std::uint64_t i = 0; i < bytes / sizeof *source; ++i) target[i] = source[i];
}

/// Puts back private memory with the same bytes where shared memory was registered.
bool make_private(const Pages& pages) {
  void* at = reinterpret_cast<void*>(pages.begin);
  void* copy = ::mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return false;
  copy_pages(copy, at, pages.bytes);
  return ::mremap(copy, pages.bytes, pages.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED;
}

}  // namespace

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context([&](Context& context) {
    auto info = context.client().memory_info();
    if (!info) return context.result(info.status());
    *free = info->free_bytes;
    *total = info->total_bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* out, std::size_t bytes) {
  if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context([&](Context& context) {
    auto va = context.client().alloc(context.id(), bytes, hal::kData);
    if (!va) return context.result(va.status());
    context.memory().add({.kind = MemoryKind::device, .va = *va, .bytes = bytes});
    *out = *va;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* out, std::size_t* pitch, std::size_t width, std::size_t height,
                            unsigned int element) {
  if (out == nullptr || pitch == nullptr || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
  if (element != 4 && element != 8 && element != 16) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t row = (width + kPitchAlign - 1) & ~(kPitchAlign - 1);
  if (row < width || height > ~std::size_t{0} / row) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = driver::cuMemAlloc_v2(out, row * height);
  if (result == CUDA_SUCCESS) *pitch = row;
  return result;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  if (address == 0) return CUDA_SUCCESS;
  return with_context([&](Context& context) {
    const auto allocation = context.memory().at(address);
    if (!allocation || (allocation->kind != MemoryKind::device && allocation->kind != MemoryKind::managed)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!context.memory().remove(address)) return CUDA_ERROR_INVALID_VALUE;  // another thread was faster
    return release(context, *allocation);
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  return with_context([&](Context& context) {
    const auto allocation = context.memory().find(address);
    if (!allocation) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = allocation->va;
    if (bytes != nullptr) *bytes = allocation->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void** out, std::size_t bytes, unsigned int flags) {
  constexpr unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (out == nullptr || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  *out = nullptr;
  if (bytes == 0) return CUDA_SUCCESS;
  return with_context([&](Context& context) {
    hal::PinnedMemory memory;
    const CUresult result = allocate_host(context, bytes, MemoryKind::pinned, flags, nullptr, memory);
    if (result == CUDA_SUCCESS) *out = memory.data;
    return result;
  });
}

CUresult cuMemAllocHost_v2(void** out, std::size_t bytes) { return driver::cuMemHostAlloc(out, bytes, 0); }

CUresult cuMemFreeHost(void* pointer) {
  if (pointer == nullptr) return CUDA_SUCCESS;
  return with_context([&](Context& context) {
    const auto allocation = context.memory().at(reinterpret_cast<std::uint64_t>(pointer));
    if (!allocation || allocation->kind != MemoryKind::pinned) return CUDA_ERROR_INVALID_VALUE;
    if (!context.memory().remove(allocation->va)) return CUDA_ERROR_INVALID_VALUE;
    return release(context, *allocation);
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* out, void* pointer, unsigned int flags) {
  if (out == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context([&](Context& context) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = context.memory().find(address);
    if (!allocation || !allocation->host()) return CUDA_ERROR_INVALID_VALUE;
    *out = address;  // one address for both sides
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context([&](Context& context) {
    const auto allocation = context.memory().find(reinterpret_cast<std::uint64_t>(pointer));
    if (!allocation || !allocation->host()) return CUDA_ERROR_INVALID_VALUE;
    *flags = allocation->flags | CU_MEMHOSTALLOC_DEVICEMAP;
    return CUDA_SUCCESS;
  });
}

/// The program's memory is private to it; it becomes shared memory with the same contents at the same place. Other threads must not
/// write to those pages during the call.
CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned int flags) {
  constexpr unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
                             CU_MEMHOSTREGISTER_READ_ONLY;
  if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) return CUDA_ERROR_NOT_PERMITTED;
  return with_context([&](Context& context) {
    const Pages pages = pages_of(pointer, bytes);
    if (context.memory().overlaps(pages.begin, pages.bytes)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    if (::madvise(reinterpret_cast<void*>(pages.begin), pages.bytes, MADV_NORMAL) != 0) return CUDA_ERROR_INVALID_VALUE;
    auto memory = context.client().pin(pages.bytes);
    if (!memory) return context.result(memory.status());
    void* at = reinterpret_cast<void*>(pages.begin);
    copy_pages(memory->data, at, pages.bytes);
    if (::mremap(memory->data, pages.bytes, pages.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
      (void)context.client().unpin(*memory);
      return CUDA_ERROR_INVALID_VALUE;
    }
    memory->data = static_cast<std::byte*>(at);
    if (Status status = context.client().map_host(context.id(), *memory, hal::kData); !status) {
      make_private(pages);
      (void)context.client().unpin({nullptr, 0, memory->pin});
      return context.result(status);
    }
    context.memory().add({.kind = MemoryKind::registered,
                          .va = reinterpret_cast<std::uint64_t>(pointer),
                          .bytes = bytes,
                          .flags = flags,
                          .pinned = *memory});
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostUnregister(void* pointer) {
  return with_context([&](Context& context) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto allocation = context.memory().at(address);
    if (!allocation || allocation->kind != MemoryKind::registered) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    if (!context.memory().remove(address)) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    const CUresult drained = context.synchronize();
    Status status = context.client().free(context.id(), allocation->pinned.va());
    if (!make_private({allocation->pinned.va(), allocation->pinned.bytes})) return CUDA_ERROR_OUT_OF_MEMORY;
    Status unpinned = context.client().unpin({nullptr, 0, allocation->pinned.pin});
    if (drained != CUDA_SUCCESS) return drained;
    return context.result(status ? unpinned : status);
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* out, std::size_t bytes, unsigned int flags) {
  if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return with_context([&](Context& context) {
    hal::PinnedMemory memory;
    const CUresult result = allocate_host(context, bytes, MemoryKind::managed, flags, nullptr, memory);
    if (result == CUDA_SUCCESS) *out = memory.va();
    return result;
  });
}

/// Managed memory lies in coherent host memory: advice and prefetching change nothing, but wrong arguments are told.
CUresult cuMemAdvise_v2(CUdeviceptr address, std::size_t bytes, CUmem_advise advice, CUmemLocation) {
  if (bytes == 0 || advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return with_context([&](Context& context) {
    const auto allocation = context.memory().find(address);
    const bool managed = allocation && allocation->kind == MemoryKind::managed && allocation->contains(address, bytes);
    return managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemAdvise(CUdeviceptr address, std::size_t bytes, CUmem_advise advice, CUdevice device) {
  return driver::cuMemAdvise_v2(address, bytes, advice, {CU_MEM_LOCATION_TYPE_DEVICE, device});
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, std::size_t bytes, CUmemLocation, unsigned int flags,
                               CUstream handle) {
  if (bytes == 0 || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context([&](Context& context) {
    if (context.stream(default_stream(handle)) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto allocation = context.memory().find(address);
    const bool managed = allocation && allocation->kind == MemoryKind::managed && allocation->contains(address, bytes);
    return managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t bytes, CUdevice device, CUstream handle) {
  return driver::cuMemPrefetchAsync_v2(address, bytes, {CU_MEM_LOCATION_TYPE_DEVICE, device}, 0, handle);
}

CUresult cuMemAllocAsync(CUdeviceptr* out, std::size_t bytes, CUstream handle) {
  return with_context([&](Context& context) {
    if (context.stream(default_stream(handle)) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return driver::cuMemAlloc_v2(out, bytes);  // there at once, which is before the stream needs it
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
  return with_context([&](Context& context) {
    if (context.stream(default_stream(handle)) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    return driver::cuMemFree_v2(address);  // waits for all work, this stream's included
  });
}

CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, std::size_t, unsigned int flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return with_context([&](Context& context) {
    if (context.stream(default_stream(handle)) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto allocation = context.memory().find(address);
    return allocation && allocation->kind == MemoryKind::managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // namespace castor::driver
