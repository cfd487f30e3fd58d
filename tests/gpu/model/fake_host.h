// Host memory for tests of pure blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/model/host_port.h"

namespace castor::test {

class FakeHost final : public gpu::HostPort {
 public:
  explicit FakeHost(std::uint64_t base = 0x1'0000'0000, std::uint64_t bytes = 1u << 20) : base_(base), memory_(bytes) {}

  std::byte* direct(BusAddr address, std::uint64_t bytes) override {
    if (address.value < base_ || address.value - base_ > memory_.size()) return nullptr;
    return bytes <= memory_.size() - (address.value - base_) ? &memory_[address.value - base_] : nullptr;
  }
  void interrupt(unsigned vector) override { vectors.push_back(vector); }

  std::vector<unsigned> vectors;

 private:
  std::uint64_t base_;
  std::vector<std::byte> memory_;
};

}  // namespace castor::test
