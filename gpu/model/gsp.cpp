#include "gpu/model/gsp.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/abi/discovery.h"
#include "gpu/abi/gsp.h"
#include "gpu/abi/register_view.h"
#include "gpu/abi/registers.h"
#include "platform/core/check.h"
#include "platform/core/crc32c.h"

namespace castor::gpu {

using namespace reg::gsp;
using namespace reg::gsp_local;

namespace {

constexpr std::uint32_t kDmaMost = 4096;
constexpr std::uint64_t kLocalBytes = 0x1000;

bool inside(std::uint64_t address, std::uint64_t bytes, std::uint64_t base, std::uint64_t room) {
  return address >= base && bytes <= room && address - base <= room - bytes;
}

}  // namespace

Gsp::Gsp(const Spec& spec, Ports ports)
    : spec_(spec),
      ports_(std::move(ports)),
      bank_(reg::gsp::kRegisters),
      local_(reg::gsp_local::kRegisters),
      rom_(CASTOR_GSP_ROM_BYTES),
      sram_(CASTOR_GSP_SRAM_BYTES),
      hart_({.hart_id = 0, .floats = false}, *this) {
  CHECK(spec.rom.size() <= rom_.size(), "the boot ROM is larger than its place");
  std::ranges::copy(spec.rom, rom_.begin());
  hart_.add_ram(BusAddr{CASTOR_GSP_ROM_BASE}, rom_, false);
  hart_.add_ram(BusAddr{CASTOR_GSP_SRAM}, sram_);
  hart_.add_ram(BusAddr{CASTOR_GSP_MEMORY}, ports_.memory);
  connect_bank();
  connect_local();
  reset();
}

void Gsp::connect_bank() {
  bank_.on_write<CTRL>([this](std::uint32_t v) { power(CTRL_RUN::get(v) != 0); });
  bank_.on_write<DOORBELL>([this](std::uint32_t) { interrupt(IRQ_PENDING_DOORBELL::put(1)); });
}

void Gsp::connect_local() {
  local_.on_write<IRQ_PENDING>([this](std::uint32_t) { update(); });
  local_.on_write<IRQ_ENABLE>([this](std::uint32_t) { update(); });
  local_.on_write<RAISE>([this](std::uint32_t source) { ports_.raise(source); });
  local_.on_write<DMA_START>([this](std::uint32_t v) {
    const bool moved = transfer(DMA_START_TO_HOST::get(v) != 0);
    local_.set<DMA_STATUS>(DMA_STATUS_REFUSED::put(!moved));
  });
  local_.on_write<CRC_BYTES>([this](std::uint32_t bytes) {
    const auto data = sram_at(local_.get<CRC_LOCAL>(), bytes);
    // The register holds the running value as the polynomial division leaves it: inverted at both ends.
    local_.set<CRC_VALUE>(~crc32c(data, ~local_.get<CRC_VALUE>()));
  });
  local_.on_write<CONSOLE>([this](std::uint32_t c) { ports_.console(static_cast<char>(c)); });
}

void Gsp::interrupt(std::uint32_t causes) {
  local_.set<IRQ_PENDING>(local_.get<IRQ_PENDING>() | causes);
  update();
}

void Gsp::context_faulted(std::uint16_t pasid, std::uint32_t index) {
  local_.set<FAULTED_PASID>(pasid);
  local_.set<FAULTED_INDEX>(index);
  interrupt(IRQ_PENDING_FAULT::put(1));
}

void Gsp::update() {
  hart_.set_interrupt(hart::Line::external, (local_.get<IRQ_PENDING>() & local_.get<IRQ_ENABLE>()) != 0);
  ports_.wake();
}

void Gsp::power(bool on) {
  if (on == running_) return;
  running_ = on;
  asleep_ = false;
  ++generation_;
  local_.reset();
  bank_.set<READY>(0);
  bank_.set<STATUS>(STATUS_STATE::put(on ? CASTOR_GSP_STATE_ROM : CASTOR_GSP_STATE_RESET));
  hart_.halt();  // it may be in the middle of an instruction, waiting for its transfer
  restart_ = on;
  update();
}

void Gsp::reset() {
  power(false);
  bank_.reset();
  local_.reset();
  bank_.set<FUSES>(FUSES_SIGNED_ONLY::put(spec_.signed_only));
}

void Gsp::run(std::uint64_t instructions) {
  if (!runnable()) return;
  if (restart_) {
    restart_ = false;
    std::ranges::fill(sram_, std::byte{0});
    hart_.flush_code();
    hart_.reset(CASTOR_GSP_ROM_BASE);
  }
  const unsigned generation = generation_;
  const hart::StopReason reason = hart_.run(instructions);
  if (generation != generation_) return;  // held in reset, or started anew, meanwhile
  asleep_ = reason == hart::StopReason::wfi;
  if (reason == hart::StopReason::locked_up) {
    fail(CASTOR_GSP_FAIL_TRAP, hart_.state().mepc, static_cast<std::uint32_t>(hart_.state().mcause));
    running_ = false;
  }
}

void Gsp::fail(std::uint32_t failure, std::uint64_t info, std::uint32_t cause) {
  bank_.set<STATUS>(STATUS_STATE::put(CASTOR_GSP_STATE_FAILED) | STATUS_FAILURE::put(failure));
  bank_.set64<FAILURE_INFO_LO>(info);
  bank_.set<FAILURE_CAUSE>(cause);
  bank_.set<READY>(0);
  ports_.raise(CASTOR_VECTOR_DEVICE);
}

std::span<std::byte> Gsp::sram_at(std::uint32_t address, std::uint32_t bytes) {
  if (!inside(address, bytes, CASTOR_GSP_SRAM, CASTOR_GSP_SRAM_BYTES)) return {};
  return std::span(sram_).subspan(address - CASTOR_GSP_SRAM, bytes);
}

bool Gsp::transfer(bool to_host) {
  const std::uint32_t bytes = local_.get<DMA_BYTES>();
  const auto data = sram_at(local_.get<DMA_LOCAL>(), bytes);
  if (bytes > kDmaMost || data.size() != bytes) return false;
  return ports_.dma(BusAddr{local_.get64<DMA_BUS_LO>()}, data, to_host);
}

Status Gsp::read(BusAddr address, std::span<std::byte> data) {
  if (inside(address.value, data.size(), CASTOR_GSP_LOCAL, kLocalBytes) && data.size() == 4) {
    const auto word = local_.read(static_cast<std::uint32_t>(address.value - CASTOR_GSP_LOCAL));
    if (!word) return {StatusCode::not_found, "no such register of the GSP"};
    std::memcpy(data.data(), &*word, 4);
    return {};
  }
  if (inside(address.value, data.size(), CASTOR_GSP_BAR0, CASTOR_BAR0_BYTES)) {
    ports_.registers.read(address.value - CASTOR_GSP_BAR0, data);
    return {};
  }
  return {StatusCode::not_found, "nothing at this address of the GSP"};
}

Status Gsp::write(BusAddr address, std::span<const std::byte> data) {
  if (inside(address.value, data.size(), CASTOR_GSP_LOCAL, kLocalBytes) && data.size() == 4) {
    std::uint32_t word;
    std::memcpy(&word, data.data(), 4);
    if (!local_.write(static_cast<std::uint32_t>(address.value - CASTOR_GSP_LOCAL), word)) {
      return {StatusCode::not_found, "no such register of the GSP"};
    }
    return {};
  }
  if (inside(address.value, data.size(), CASTOR_GSP_BAR0, CASTOR_BAR0_BYTES)) {
    const std::uint64_t offset = address.value - CASTOR_GSP_BAR0;
    if (!write_own(offset, data)) ports_.registers.write(offset, data);
    return {};
  }
  return {StatusCode::not_found, "nothing at this address of the GSP"};
}

// The hart's stores to its own block change what is read-only to the driver; CTRL and DOORBELL stay the driver's.
bool Gsp::write_own(std::uint64_t offset, std::span<const std::byte> data) {
  if (data.size() != 4 || !inside(offset, 4, spec_.base, kLocalBytes)) return false;
  const auto at = static_cast<std::uint32_t>(offset - spec_.base);
  const auto known = [at](const RegisterDef& def) { return def.offset == at && def.access == RegisterAccess::ro; };
  if (std::ranges::none_of(bank_.registers(), known) || at == FUSES::offset) return false;
  std::uint32_t word;
  std::memcpy(&word, data.data(), 4);
  bank_.set(at, word);
  if (at == STATUS::offset && STATUS_STATE::get(word) == CASTOR_GSP_STATE_FAILED) ports_.raise(CASTOR_VECTOR_DEVICE);
  return true;
}

}  // namespace castor::gpu
