#include "platform/board/host_bridge_module.h"

#include <atomic>
#include <cstring>

#include "platform/board/host_map.h"
#include "platform/core/check.h"
#include "platform/sim/time.h"
#include "platform/sim/tlp.h"

namespace castor::board {
namespace {

constexpr double kMemoryNs = 80;
constexpr double kBridgeNs = 5;

bool within(std::uint64_t address, std::uint64_t bytes, std::uint64_t base, std::uint64_t size) {
  return address >= base && bytes <= size && address - base <= size - bytes;
}

/// One aligned word is seen whole by the host's threads: completion words are polled.
template <class Word>
void store(std::byte* to, const void* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::atomic_ref(*reinterpret_cast<Word*>(to)).store(word, std::memory_order_release);
}
template <class Word>
void load(const std::byte* from, void* to) {
  const Word word =
      std::atomic_ref(*reinterpret_cast<Word*>(const_cast<std::byte*>(from))).load(std::memory_order_acquire);
  std::memcpy(to, &word, sizeof word);
}

void move(tlm::tlm_generic_payload& payload, std::byte* memory) {
  const std::size_t bytes = payload.get_data_length();
  const bool aligned = reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
  void* data = payload.get_data_ptr();
  if (payload.is_write()) {
    if (aligned && bytes == 8) return store<std::uint64_t>(memory, data);
    if (aligned && bytes == 4) return store<std::uint32_t>(memory, data);
    std::memcpy(memory, data, bytes);
    std::atomic_thread_fence(std::memory_order_release);
  } else {
    if (aligned && bytes == 8) return load<std::uint64_t>(memory, data);
    if (aligned && bytes == 4) return load<std::uint32_t>(memory, data);
    std::atomic_thread_fence(std::memory_order_acquire);
    std::memcpy(data, memory, bytes);
  }
}

}  // namespace

HostBridgeModule::HostBridgeModule(sc_core::sc_module_name name, HostMemory& memory)
    : sc_module(name), processor("processor"), root_complex("root_complex"), devices("devices"), memory_(memory) {
  processor.register_b_transport(this, &HostBridgeModule::from_processor);
  devices.register_b_transport(this, &HostBridgeModule::from_device);
}

void HostBridgeModule::from_processor(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += sim::nanoseconds(kBridgeNs);
  CHECK(payload.get_data_length() != 0, "a processor accesses something");
  if (std::byte* memory = memory_.find(BusAddr{payload.get_address()}, payload.get_data_length())) {
    move(payload, memory);
    delay += sim::nanoseconds(kMemoryNs);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  to_root_complex(payload, delay);
  if (payload.is_response_ok()) return;
  if (payload.is_read()) std::memset(payload.get_data_ptr(), 0xff, payload.get_data_length());
}

void HostBridgeModule::to_root_complex(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  const bool config = within(address, bytes, kEcamBase, kEcamBytes) && bytes <= 4 && address % bytes == 0;
  const bool mmio =
      within(address, bytes, kMmio32Base, kMmio32Bytes) || within(address, bytes, kMmio64Base, kMmio64Bytes);
  if (!config && !mmio) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  sim::Tlp* const before = payload.get_extension<sim::Tlp>();
  sim::Tlp tlp;
  if (before != nullptr) tlp.initiator = before->initiator;
  if (config)
    tlp.kind = payload.is_write() ? sim::TlpKind::config_write : sim::TlpKind::config_read;
  else
    tlp.kind = payload.is_write() ? sim::TlpKind::memory_write : sim::TlpKind::memory_read;
  payload.set_extension(&tlp);
  if (config) payload.set_address(address - kEcamBase);
  root_complex->b_transport(payload, delay);
  payload.set_address(address);
  payload.set_extension(before);
}

void HostBridgeModule::from_device(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += sim::nanoseconds(kBridgeNs + kMemoryNs);
  const std::uint64_t address = payload.get_address();
  const std::uint64_t bytes = payload.get_data_length();
  bool answered = false;
  if (within(address, bytes, kMsiBase, kMsiBytes)) {
    answered = raise(payload);
  } else if (std::byte* memory = bytes == 0 ? nullptr : memory_.find(BusAddr{address}, bytes)) {
    move(payload, memory);
    answered = true;
  }
  payload.set_response_status(answered ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool HostBridgeModule::raise(const tlm::tlm_generic_payload& payload) {
  std::uint32_t number = 0;
  if (!payload.is_write() || payload.get_data_length() != sizeof number || payload.get_address() != kMsiBase)
    return false;
  std::memcpy(&number, payload.get_data_ptr(), sizeof number);
  if (number >= kHostInterrupts) return false;
  pending_ |= std::uint64_t{1} << number;
  interrupt_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

std::uint64_t HostBridgeModule::take_interrupts(std::uint64_t mask) {
  const std::uint64_t taken = pending_ & mask;
  pending_ &= ~mask;
  return taken;
}

}  // namespace castor::board
