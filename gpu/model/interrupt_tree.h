// InterruptTree: block INTR. Sources become pending; those enabled send their message.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "platform/core/register_bank.h"

namespace castor::gpu {

class InterruptTree {
 public:
  static constexpr unsigned kLeaves = 2;
  static constexpr unsigned kSources = 32 * kLeaves;

  using Send = std::function<void(unsigned vector)>;
  explicit InterruptTree(Send send);

  RegisterBank& bank() { return bank_; }
  void raise(unsigned source);
  void reset();

 private:
  struct Leaf {
    std::uint32_t pending = 0, enabled = 0, sent = 0;  // sent: pending and its message is out
  };
  struct State {
    std::array<Leaf, kLeaves> leaves{};
    std::uint32_t top_enabled = 0;
    std::uint32_t messages = 0;
  };

  void connect_leaf(unsigned leaf);
  void update();

  RegisterBank bank_;
  Send send_;
  State state_;
};

}  // namespace castor::gpu
