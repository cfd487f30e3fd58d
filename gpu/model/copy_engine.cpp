#include "gpu/model/copy_engine.h"

#include <algorithm>

#include "gpu/abi/address_space.h"
#include "gpu/abi/register_view.h"
#include "platform/core/check.h"

namespace castor::gpu {

using namespace reg::ce;

namespace {

// One side of a piece: where it is and how far it can go.
struct Reach {
  Place place{};
  std::uint64_t bytes = 0;
  Fault fault{};
};

Reach reach(const Mmu& mmu, std::uint16_t pasid, std::uint64_t address, Access access) {
  const Fault unplaced{FaultCause::invalid_address_space, access, 0, VirtAddr{address}};
  if (address >= CASTOR_GLOBAL_LIMIT) return {.fault = unplaced};
  const Mapping mapping = mmu.map(pasid, VirtAddr{address}, access);
  if (mapping.fault != FaultCause::none) return {.fault = {mapping.fault, access, 0, VirtAddr{address}}};
  const std::uint64_t inside = address - mapping.page.value;
  return {.place = {mapping.host, mapping.target + inside}, .bytes = mapping.page_bytes - inside, .fault = {}};
}

std::uint32_t spread(std::uint32_t value, std::uint32_t element_bytes) {
  if (element_bytes == 1) return (value & 0xffu) * 0x01010101u;
  if (element_bytes == 2) return (value & 0xffffu) * 0x00010001u;
  return value;
}

}  // namespace

CopyEngine::CopyEngine(const Spec& spec) : spec_(spec), bank_(kRegisters) {}

bool CopyEngine::enabled() const { return CTRL_ENABLE::get(bank_.get<CTRL>()) != 0; }

void CopyEngine::begin(std::uint16_t pasid, const Packet& packet) {
  CHECK(!state_.busy, "a copy engine takes one packet at a time");
  state_ = {.busy = true, .pasid = pasid, .bytes_moved = state_.bytes_moved, .packets = state_.packets};
  if (packet.type() == CASTOR_PACKET_FILL) {
    const auto fill = packet.as<castor_packet_fill>();
    state_.is_fill = true;
    state_.destination = fill.destination;
    state_.row_bytes = fill.row_bytes;
    state_.source_pitch = state_.destination_pitch = fill.pitch;
    state_.rows = fill.rows;
    state_.pattern = spread(fill.value, fill.element_bytes);
  } else {
    const auto copy = packet.as<castor_packet_copy>();
    state_.source = copy.source;
    state_.destination = copy.destination;
    state_.row_bytes = copy.row_bytes;
    state_.source_pitch = copy.source_pitch;
    state_.destination_pitch = copy.destination_pitch;
    state_.rows = copy.rows;
  }
  const bool dense = state_.source_pitch == state_.row_bytes && state_.destination_pitch == state_.row_bytes;
  if (dense && state_.rows > 1 && state_.row_bytes < CASTOR_GLOBAL_LIMIT >> 32) {
    state_.row_bytes *= state_.rows;
    state_.rows = 1;
  }
  update();
}

CopyEngine::Piece CopyEngine::next(const Mmu& mmu) {
  if (state_.offset == state_.row_bytes) {
    state_.offset = 0;
    ++state_.row;
  }
  if (state_.row >= state_.rows || state_.row_bytes == 0) return end(Piece::Kind::done);

  Piece piece{.kind = state_.is_fill ? Piece::Kind::fill : Piece::Kind::copy};
  piece.bytes = std::min(state_.row_bytes - state_.offset, spec_.device_piece);
  const auto take = [&](Place& place, std::uint64_t address, Access access) {
    const Reach side = reach(mmu, state_.pasid, address, access);
    if (side.fault) return side.fault;
    place = side.place;
    piece.bytes = std::min(piece.bytes, side.bytes);
    if (place.host) piece.bytes = std::min(piece.bytes, spec_.host_piece - place.address % spec_.host_piece);
    return Fault{};
  };
  if (!state_.is_fill) {
    const std::uint64_t source = state_.source + state_.row * state_.source_pitch + state_.offset;
    if (const Fault fault = take(piece.source, source, Access::read)) return end(Piece::Kind::fault, fault);
  }
  const std::uint64_t destination = state_.destination + state_.row * state_.destination_pitch + state_.offset;
  if (const Fault fault = take(piece.destination, destination, Access::write)) return end(Piece::Kind::fault, fault);
  const unsigned turned = 8 * (state_.offset % 4);  // the pattern as it stands at this offset
  piece.pattern = turned == 0 ? state_.pattern : state_.pattern >> turned | state_.pattern << (32 - turned);
  return piece;
}

void CopyEngine::moved(std::uint64_t bytes) {
  state_.offset += bytes;
  state_.bytes_moved += bytes;
  update();
}

void CopyEngine::abort() {
  state_.busy = false;
  update();
}

void CopyEngine::reset() {
  state_ = {};
  bank_.reset();
}

CopyEngine::Piece CopyEngine::end(Piece::Kind kind, const Fault& fault) {
  state_.busy = false;
  if (kind == Piece::Kind::done) ++state_.packets;
  bank_.set<INTR>(bank_.get<INTR>() | (kind == Piece::Kind::done ? INTR_DONE::put(1) : INTR_FAULT::put(1)));
  update();
  return {.kind = kind, .fault = fault};
}

void CopyEngine::update() {
  bank_.set<STATUS>(STATUS_BUSY::put(state_.busy));
  bank_.set<PACKETS>(state_.packets);
  bank_.set64<BYTES_LO>(state_.bytes_moved);
}

}  // namespace castor::gpu
