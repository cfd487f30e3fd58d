#include "gpu/model/bus_master.h"

#include <algorithm>
#include <utility>

#include "gpu/abi/address_space.h"
#include "platform/sim/tlp.h"

namespace castor::gpu {
namespace {
constexpr std::uint64_t kHostPiece = 4096;  // a request neither exceeds nor crosses this (PCI Express, 2.2.7)
}

BusMaster::BusMaster(std::string name, const Mmu* mmu)
    : to_host("to_host"), to_memory("to_memory"), name_(std::move(name)), mmu_(mmu) {}

bool BusMaster::transport(bool write, const Place& place, std::byte* data, std::size_t bytes, sc_core::sc_time& ahead) {
  for (std::size_t at = 0; at < bytes;) {
    const std::uint64_t address = place.address + at;
    std::size_t piece = bytes - at;
    if (place.host) piece = std::min<std::size_t>(piece, kHostPiece - address % kHostPiece);
    sim::Transaction transaction(write ? sim::TlpKind::memory_write : sim::TlpKind::memory_read, name_, address,
                                 data + at, piece);
    if (place.host) {
      to_host->b_transport(transaction, ahead);
    } else {
      to_memory->b_transport(transaction, ahead);
    }
    if (!transaction.ok()) return false;
    at += piece;
  }
  return true;
}

bool BusMaster::read(const Place& place, std::span<std::byte> data, sc_core::sc_time& ahead) {
  return transport(false, place, data.data(), data.size(), ahead);
}

bool BusMaster::write(const Place& place, std::span<const std::byte> data, sc_core::sc_time& ahead) {
  return transport(true, place, const_cast<std::byte*>(data.data()), data.size(), ahead);
}

Fault BusMaster::access(Access access, std::uint16_t pasid, VirtAddr address, std::byte* data, std::size_t bytes,
                        sc_core::sc_time& ahead) {
  for (std::size_t at = 0; at < bytes;) {
    const VirtAddr here = address + at;
    const auto size = static_cast<std::uint8_t>(std::min<std::size_t>(bytes, 255));
    if (here.value >= CASTOR_GLOBAL_LIMIT) return {FaultCause::invalid_address_space, access, size, here};
    const Mapping mapping = mmu_->map(pasid, here, access);
    if (mapping.fault != FaultCause::none) return {mapping.fault, access, size, here};
    const std::uint64_t inside = here - mapping.page;
    const std::size_t piece = std::min<std::uint64_t>(bytes - at, mapping.page_bytes - inside);
    if (!transport(access == Access::write, {mapping.host, mapping.target + inside}, data + at, piece, ahead)) {
      return {FaultCause::illegal_address, access, size, here};
    }
    at += piece;
  }
  return {};
}

Fault BusMaster::read(std::uint16_t pasid, VirtAddr address, std::span<std::byte> data, sc_core::sc_time& ahead) {
  return access(Access::read, pasid, address, data.data(), data.size(), ahead);
}

Fault BusMaster::write(std::uint16_t pasid, VirtAddr address, std::span<const std::byte> data,
                       sc_core::sc_time& ahead) {
  return access(Access::write, pasid, address, const_cast<std::byte*>(data.data()), data.size(), ahead);
}

}  // namespace castor::gpu
