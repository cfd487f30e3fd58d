#include "runtime/driver/transfer.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace castor::driver {
namespace {

const std::byte* host_pointer(std::uint64_t address) { return reinterpret_cast<const std::byte*>(address); }
std::byte* mutable_host_pointer(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

/// Can the device reach it (and so it needs no staging)?
bool mapped(Context& context, std::uint64_t address) { return context.memory().find(address).has_value(); }

std::uint64_t extent(const Place& place, const Shape& shape) {
  return (shape.slices - 1) * place.slice_pitch + (shape.rows - 1) * place.pitch + shape.row_bytes;
}

/// A mapped end must lie inside one allocation; an address for device memory that is none is not the host's either.
CUresult check(Context& context, const Place& place, const Shape& shape) {
  const auto allocation = context.memory().find(place.address);
  if (!allocation) return context.reserves(place.address) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  return allocation->contains(place.address, extent(place, shape)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

Packet copy_packet(const Place& to, const Place& from, const Shape& shape) {
  Packet packet = make_packet(CASTOR_PACKET_COPY);
  packet.copy.rows = static_cast<std::uint32_t>(shape.rows);
  packet.copy.source = from.address;
  packet.copy.destination = to.address;
  packet.copy.row_bytes = shape.row_bytes;
  packet.copy.source_pitch = from.pitch;
  packet.copy.destination_pitch = to.pitch;
  return packet;
}

/// One slice between places that the device reaches.
Status copy_direct(Context& context, Stream& stream, const Place& to, const Place& from, const Shape& shape) {
  const std::scoped_lock lock(context.mutex());
  return submit(stream, copy_packet(to, from, shape));
}

/// Submits and tells the value that stands for it.
Status submit_counted(Context& context, Stream& stream, const Packet& packet, std::shared_ptr<Timeline>& timeline,
                      std::uint64_t& value) {
  const std::scoped_lock lock(context.mutex());
  Status status = submit(stream, packet);
  timeline = stream.timeline;
  value = stream.submitted;
  return status;
}

/// Calls visit(first row, rows, offset in the row, bytes) for pieces that fit a chunk: many whole rows or a part of one.
template <class Visit>
CUresult in_pieces(const Shape& shape, Visit visit) {
  constexpr std::uint64_t room = Staging::kChunkBytes;
  if (shape.row_bytes <= room) {
    const std::uint64_t at_once = room / shape.row_bytes;
    for (std::uint64_t row = 0; row < shape.rows; row += at_once) {
      const CUresult result = visit(row, std::min(at_once, shape.rows - row), 0, shape.row_bytes);
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  }
  for (std::uint64_t row = 0; row < shape.rows; ++row) {
    for (std::uint64_t at = 0; at < shape.row_bytes; at += room) {
      const CUresult result = visit(row, std::uint64_t{1}, at, std::min(room, shape.row_bytes - at));
      if (result != CUDA_SUCCESS) return result;
    }
  }
  return CUDA_SUCCESS;
}

Place piece_of(const Place& place, std::uint64_t row, std::uint64_t offset) {
  return {place.address + row * place.pitch + offset, place.pitch, 0};
}

void copy_rows(std::byte* to, std::uint64_t to_pitch, const std::byte* from, std::uint64_t from_pitch,
               std::uint64_t rows, std::uint64_t bytes) {
  for (std::uint64_t row = 0; row < rows; ++row) std::memcpy(to + row * to_pitch, from + row * from_pitch, bytes);
}

/// The source has been read when this returns.
CUresult copy_in(Context& context, Stream& stream, const Place& to, const Place& from, const Shape& shape) {
  return in_pieces(shape, [&](std::uint64_t row, std::uint64_t rows, std::uint64_t offset, std::uint64_t bytes) {
    auto chunk = context.staging().take(context.id());
    if (!chunk) return context.result(chunk.status());
    const Place source = piece_of(from, row, offset);
    copy_rows((*chunk)->data, bytes, host_pointer(source.address), source.pitch, rows, bytes);
    std::shared_ptr<Timeline> timeline;
    std::uint64_t value = 0;
    const Packet packet = copy_packet(piece_of(to, row, offset), {(*chunk)->va(), bytes, 0}, {bytes, rows});
    const Status status = submit_counted(context, stream, packet, timeline, value);
    context.staging().give(*chunk, std::move(timeline), value);
    return status ? CUDA_SUCCESS : context.result(status);
  });
}

/// A piece that is on its way into a chunk.
struct Landing {
  Staging::Chunk* chunk;
  std::shared_ptr<Timeline> timeline;
  std::uint64_t value;
  Place to;
  std::uint64_t rows, bytes;
};

CUresult land(Context& context, Landing& landing) {
  const CUresult result = context.wait(*landing.timeline, landing.value);
  if (result == CUDA_SUCCESS) {
    copy_rows(mutable_host_pointer(landing.to.address), landing.to.pitch, landing.chunk->data, landing.bytes,
              landing.rows, landing.bytes);
  }
  context.staging().give(landing.chunk, nullptr, 0);
  return result;
}

/// The oldest of the flying ones, if any.
CUresult land_first(Context& context, std::deque<Landing>& flying) {
  if (flying.empty()) return CUDA_SUCCESS;
  Landing first = std::move(flying.front());
  flying.pop_front();
  return land(context, first);
}

/// The destination is complete when this returns; the next pieces travel while one is copied out.
CUresult copy_out(Context& context, Stream& stream, const Place& to, const Place& from, const Shape& shape) {
  std::deque<Landing> flying;
  CUresult result =
      in_pieces(shape, [&](std::uint64_t row, std::uint64_t rows, std::uint64_t offset, std::uint64_t bytes) {
        if (flying.size() >= Staging::kChunks / 4) {
          if (const CUresult landed = land_first(context, flying); landed != CUDA_SUCCESS) return landed;
        }
        auto chunk = context.staging().try_take(context.id());
        while (chunk && *chunk == nullptr) {
          const CUresult landed = land_first(context, flying);
          if (landed != CUDA_SUCCESS) return landed;
          chunk = flying.empty() ? context.staging().take(context.id()) : context.staging().try_take(context.id());
        }
        if (!chunk) return context.result(chunk.status());
        Packet packet = copy_packet({(*chunk)->va(), bytes, 0}, piece_of(from, row, offset), {bytes, rows});
        packet.copy.header |= CASTOR_PACKET_INTERRUPT;
        flying.push_back({*chunk, nullptr, 0, piece_of(to, row, offset), rows, bytes});
        const Status status = submit_counted(context, stream, packet, flying.back().timeline, flying.back().value);
        if (status) return CUDA_SUCCESS;
        context.staging().give(*chunk, nullptr, 0);
        flying.pop_back();
        return context.result(status);
      });
  for (Landing& landing : flying) {
    const CUresult landed = land(context, landing);
    if (result == CUDA_SUCCESS) result = landed;
  }
  return result;
}

CUresult copy_on_host(Context& context, Stream& stream, const Place& to, const Place& from, const Shape& shape) {
  if (const CUresult result = context.synchronize(stream); result != CUDA_SUCCESS) return result;
  for (std::uint64_t row = 0; row < shape.rows; ++row) {
    std::memmove(mutable_host_pointer(to.address + row * to.pitch), host_pointer(from.address + row * from.pitch),
                 shape.row_bytes);
  }
  return CUDA_SUCCESS;
}

Place slice_of(const Place& place, std::uint64_t slice) {
  return {place.address + slice * place.slice_pitch, place.pitch, 0};
}

/// Rows that follow each other without a gap are one long row.
Shape joined(const Place& to, const Place& from, Shape shape) {
  if (shape.rows > 1 && to.pitch == shape.row_bytes && from.pitch == shape.row_bytes) {
    shape.row_bytes *= shape.rows;
    shape.rows = 1;
  }
  return shape;
}

}  // namespace

CUresult copy(Context& context, Stream& stream, Place to, Place from, Shape shape, Mode mode) {
  if (shape.empty()) return context.error();
  if (to.address == 0 || from.address == 0) return CUDA_ERROR_INVALID_VALUE;
  if (shape.rows > 0xffffffffu) return CUDA_ERROR_INVALID_VALUE;
  for (const Place* place : {&to, &from}) {
    if (shape.rows > 1 && place->pitch < shape.row_bytes) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult result = check(context, *place, shape); result != CUDA_SUCCESS) return result;
  }
  const bool to_mapped = mapped(context, to.address), from_mapped = mapped(context, from.address);
  for (std::uint64_t slice = 0; slice < shape.slices; ++slice) {
    const Place slice_to = slice_of(to, slice), slice_from = slice_of(from, slice);
    const Shape rows = joined(slice_to, slice_from, {shape.row_bytes, shape.rows, 1});
    CUresult result;
    if (to_mapped && from_mapped) {
      result = context.result(copy_direct(context, stream, slice_to, slice_from, rows));
    } else if (to_mapped) {
      result = copy_in(context, stream, slice_to, slice_from, rows);
    } else if (from_mapped) {
      result = copy_out(context, stream, slice_to, slice_from, rows);
    } else {
      result = copy_on_host(context, stream, slice_to, slice_from, rows);
    }
    if (result != CUDA_SUCCESS) return result;
  }
  if (mode == Mode::asynchronous || !to_mapped || !from_mapped) return CUDA_SUCCESS;
  // A copy within the device does not hold the host up.
  const auto host = [&](const Place& place) {
    const auto allocation = context.memory().find(place.address);
    return allocation && allocation->host();
  };
  return host(to) || host(from) ? context.synchronize(stream) : CUDA_SUCCESS;
}

CUresult fill(Context& context, Stream& stream, Place to, std::uint32_t value, std::uint32_t element_bytes, Shape shape,
              Mode mode) {
  if (shape.empty()) return context.error();
  if (shape.rows > 0xffffffffu || to.address % element_bytes != 0 || (shape.rows > 1 && to.pitch < shape.row_bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!mapped(context, to.address)) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check(context, to, shape); result != CUDA_SUCCESS) return result;
  Packet packet = make_packet(CASTOR_PACKET_FILL);
  packet.fill.element_bytes = element_bytes;
  packet.fill.destination = to.address;
  packet.fill.row_bytes = shape.row_bytes;
  packet.fill.pitch = to.pitch;
  packet.fill.rows = static_cast<std::uint32_t>(shape.rows);
  packet.fill.value = value;
  Status status;
  {
    const std::scoped_lock lock(context.mutex());
    status = submit(stream, packet);
  }
  if (!status) return context.result(status);
  // As on silicon, a fill of device memory returns before it has happened; one of host memory is seen at once.
  const auto allocation = context.memory().find(to.address);
  const bool host = allocation && allocation->host();
  return mode == Mode::synchronous && host ? context.synchronize(stream) : context.error();
}

CUresult upload(Context& context, std::uint64_t to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return context.error();
  Stream& stream = context.legacy_stream();
  const Place source{reinterpret_cast<std::uint64_t>(bytes.data()), bytes.size(), 0};
  const CUresult result = copy_in(context, stream, {to, bytes.size(), 0}, source, {bytes.size()});
  return result == CUDA_SUCCESS ? context.synchronize(stream) : result;
}

}  // namespace castor::driver
