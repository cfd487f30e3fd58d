#include "runtime/driver/pinned_slots.h"

#include <new>

#include "runtime/hal/access.h"

namespace castor::driver {
namespace {
constexpr std::size_t kSlotBytes = 64;
constexpr std::size_t kBlockBytes = 64 * 1024;
}  // namespace

PinnedSlots::~PinnedSlots() {
  for (const auto& block : blocks_) (void)client_.unpin(block);  // the context and its mappings have gone before
}

Status PinnedSlots::grow() {
  auto block = client_.pin(kBlockBytes);
  if (!block) return block.status();
  if (Status status = client_.map_host(context_, *block, hal::kData); !status) {
    (void)client_.unpin(*block);
    return status;
  }
  blocks_.push_back(*block);
  for (std::size_t at = block->bytes; at != 0; at -= kSlotBytes) {
    free_.push_back(new (block->data + at - kSlotBytes) Word(0));
  }
  return {};
}

Result<PinnedSlots::Word*> PinnedSlots::take() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) {
    if (Status status = grow(); !status) return status;
  }
  Word* slot = free_.back();
  free_.pop_back();
  return slot;
}

void PinnedSlots::give(Word* slot) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(slot);
}

}  // namespace castor::driver
