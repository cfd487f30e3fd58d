#include "gpu/model/mmu.h"

#include "gpu/abi/page_table.h"
#include "platform/core/check.h"

namespace castor::gpu {

class Mmu::Port final : public sm::MemoryPort {
 public:
  Port(const Mmu& mmu, std::uint16_t pasid) : mmu_(mmu), pasid_(pasid) {}
  sm::Translation translate(VirtAddr address, Access access) override {
    return mmu_.translate(pasid_, address, access);
  }

 private:
  const Mmu& mmu_;
  std::uint16_t pasid_;
};

Mmu::Mmu(DeviceMemory& memory, HostPort& host, unsigned contexts) : memory_(memory), host_(host) {
  for (unsigned pasid = 0; pasid < contexts; ++pasid) {
    ports_.push_back(std::make_unique<Port>(*this, static_cast<std::uint16_t>(pasid)));
  }
}

Mmu::~Mmu() = default;

sm::MemoryPort& Mmu::port(std::uint16_t pasid) {
  CHECK(pasid < ports_.size(), "PASID out of range");
  return *ports_[pasid];
}

Mapping Mmu::map(std::uint16_t pasid, VirtAddr address, Access access) const {
  walks_.fetch_add(1, std::memory_order_relaxed);
  const DevAddr slot{table_.load(std::memory_order_acquire) + 8ull * pasid};
  if (pasid >= ports_.size() || slot.value % 8 != 0 || !memory_.contains(slot, 8)) {
    return {.fault = FaultCause::illegal_address};
  }
  const std::uint64_t entry = memory_.load64(slot);
  if ((entry & 1) == 0) return {.fault = FaultCause::illegal_address};
  Mapping mapping = walk(memory_, DevAddr{entry & ~1ull}, address);
  if (mapping.fault == FaultCause::none && !mapping.allows(access)) mapping.fault = FaultCause::permission;
  return mapping;
}

sm::Translation Mmu::translate(std::uint16_t pasid, VirtAddr address, Access access) const {
  const Mapping mapping = map(pasid, address, access);
  if (mapping.fault != FaultCause::none) return {.fault = mapping.fault};
  sm::Translation answer{.page = mapping.page,
                         .page_bytes = mapping.page_bytes,
                         .read = mapping.read,
                         .write = mapping.write,
                         .execute = mapping.execute,
                         .atomic = mapping.atomic};
  if (!mapping.host) {
    answer.host = memory_.at(DevAddr{mapping.target});
    return answer;
  }
  answer.host = host_.direct(BusAddr{mapping.target}, mapping.page_bytes);
  if (answer.host == nullptr && mapping.page_bytes > CASTOR_PAGE_4K) {  // host memory need not be contiguous
    answer.page = VirtAddr{address.value & ~(CASTOR_PAGE_4K - 1)};
    answer.page_bytes = CASTOR_PAGE_4K;
    answer.host = host_.direct(BusAddr{mapping.target + (answer.page - mapping.page)}, CASTOR_PAGE_4K);
  }
  if (answer.host == nullptr) return {.fault = FaultCause::illegal_address};
  return answer;
}

}  // namespace castor::gpu
