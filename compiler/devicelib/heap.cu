// malloc and free: a first-fit allocator over a heap of the size that CUDA gives by default, in the module itself.
#include "compiler/devicelib/device.h"

namespace {

/// In front of every piece of memory, free or not. Free blocks form a list in the order of their addresses.
struct alignas(16) Block {
  unsigned long bytes;  // this header included
  Block* next;          // while free
};

constexpr unsigned long kHeapBytes = 8ul << 20;

alignas(16) __device__ unsigned char heap[kHeapBytes];
__device__ Block* first_free;
__device__ bool ready;
__device__ unsigned taken;

}  // namespace

FUNCTION(void, __castor_op_yield_)();

INLINE void lock() {
  while (__atomic_exchange_n(&taken, 1u, __ATOMIC_ACQUIRE) != 0) __castor_op_yield_();
}
INLINE void unlock() { __atomic_store_n(&taken, 0u, __ATOMIC_RELEASE); }

INLINE unsigned char* end_of(Block* block) { return reinterpret_cast<unsigned char*>(block) + block->bytes; }

/// Cuts `need` bytes from the first block that has them; null if there is none.
INLINE Block* take(unsigned long need) {
  if (!ready) {
    first_free = reinterpret_cast<Block*>(heap);
    first_free->bytes = kHeapBytes;
    first_free->next = nullptr;
    ready = true;
  }
  for (Block** link = &first_free; *link != nullptr; link = &(*link)->next) {
    Block* block = *link;
    if (block->bytes < need) continue;
    if (block->bytes - need < 2 * sizeof(Block)) {
      *link = block->next;
      return block;
    }
    Block* rest = reinterpret_cast<Block*>(reinterpret_cast<unsigned char*>(block) + need);
    rest->bytes = block->bytes - need;
    rest->next = block->next;
    block->bytes = need;
    *link = rest;
    return block;
  }
  return nullptr;
}

INLINE void join_next(Block* block) {
  if (block->next == nullptr || end_of(block) != reinterpret_cast<unsigned char*>(block->next)) return;
  block->bytes += block->next->bytes;
  block->next = block->next->next;
}

INLINE void give_back(Block* block) {
  Block* before = nullptr;
  for (Block* other = first_free; other != nullptr && other < block; other = other->next) before = other;
  block->next = before == nullptr ? first_free : before->next;
  (before == nullptr ? first_free : before->next) = block;
  join_next(block);
  if (before != nullptr) join_next(before);
}

FUNCTION(void*, malloc)(unsigned long bytes) {
  if (bytes == 0 || bytes > kHeapBytes) return nullptr;
  lock();
  Block* block = take((bytes + 15) / 16 * 16 + sizeof(Block));
  unlock();
  return block == nullptr ? nullptr : block + 1;
}

FUNCTION(void, free)(void* memory) {
  if (memory == nullptr) return;
  lock();
  give_back(static_cast<Block*>(memory) - 1);
  unlock();
}
