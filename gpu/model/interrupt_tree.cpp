#include "gpu/model/interrupt_tree.h"

#include <bit>
#include <utility>

#include "gpu/abi/register_view.h"

namespace castor::gpu {

using namespace reg::intr;

namespace {
constexpr std::uint32_t kLeafStride = LEAF1_PENDING::offset - LEAF0_PENDING::offset;
}

InterruptTree::InterruptTree(Send send) : bank_(kRegisters), send_(std::move(send)) {
  bank_.on_write<TOP_ENABLE_SET>([this](std::uint32_t bits) {
    state_.top_enabled |= bits & ((1u << kLeaves) - 1);
    update();
  });
  bank_.on_write<TOP_ENABLE_CLEAR>([this](std::uint32_t bits) {
    state_.top_enabled &= ~bits;
    update();
  });
  for (unsigned leaf = 0; leaf < kLeaves; ++leaf) connect_leaf(leaf);
}

void InterruptTree::connect_leaf(unsigned leaf) {
  const std::uint32_t at = leaf * kLeafStride;
  bank_.on_write(LEAF0_PENDING::offset + at, [this, leaf](std::uint32_t bits) {
    state_.leaves[leaf].pending &= ~bits;
    state_.leaves[leaf].sent &= ~bits;
    update();
  });
  bank_.on_write(LEAF0_ENABLE_SET::offset + at, [this, leaf](std::uint32_t bits) {
    state_.leaves[leaf].enabled |= bits;
    update();
  });
  bank_.on_write(LEAF0_ENABLE_CLEAR::offset + at, [this, leaf](std::uint32_t bits) {
    state_.leaves[leaf].enabled &= ~bits;
    update();
  });
  bank_.on_write(LEAF0_AUTO::offset + at, [this](std::uint32_t) { update(); });
}

void InterruptTree::raise(unsigned source) {
  if (source >= kSources) return;
  state_.leaves[source / 32].pending |= 1u << source % 32;
  update();
}

void InterruptTree::reset() {
  state_ = {};
  bank_.reset();
}

void InterruptTree::update() {
  std::uint32_t top = 0;
  for (unsigned i = 0; i < kLeaves; ++i) {
    Leaf& leaf = state_.leaves[i];
    const std::uint32_t at = i * kLeafStride;
    const std::uint32_t active = (state_.top_enabled >> i & 1) != 0 ? leaf.pending & leaf.enabled : 0;
    std::uint32_t due = active & ~leaf.sent;
    leaf.sent |= due;
    const std::uint32_t clears_itself = leaf.sent & bank_.get(LEAF0_AUTO::offset + at);
    leaf.pending &= ~clears_itself;
    leaf.sent &= ~clears_itself;
    for (; due != 0; due &= due - 1) {
      ++state_.messages;
      send_(32 * i + static_cast<unsigned>(std::countr_zero(due)));
    }
    if ((leaf.pending & leaf.enabled) != 0) top |= 1u << i;
    bank_.set(LEAF0_PENDING::offset + at, leaf.pending);
    bank_.set(LEAF0_ENABLE_SET::offset + at, leaf.enabled);
    bank_.set(LEAF0_ENABLE_CLEAR::offset + at, leaf.enabled);
  }
  bank_.set<TOP_PENDING>(top);
  bank_.set<TOP_ENABLE_SET>(state_.top_enabled);
  bank_.set<TOP_ENABLE_CLEAR>(state_.top_enabled);
  bank_.set<MESSAGES>(state_.messages);
}

}  // namespace castor::gpu
