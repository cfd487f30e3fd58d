// Copies and fills between any two kinds of memory, in stream order. Pageable host memory travels through staging chunks.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/driver/context.h"

namespace castor::driver {

/// A box of rows: `rows` of `row_bytes`, `slices` times.
struct Shape {
  std::uint64_t row_bytes = 0, rows = 1, slices = 1;
  bool empty() const { return row_bytes == 0 || rows == 0 || slices == 0; }
};

/// One end of a copy.
struct Place {
  std::uint64_t address = 0;
  std::uint64_t pitch = 0;        // from row to row
  std::uint64_t slice_pitch = 0;  // from slice to slice
};

enum class Mode {
  synchronous,   // returns when the program may look at the destination
  asynchronous,  // returns as soon as it can: at once unless pageable memory is involved
};

/// Any address may be device, pinned, managed or pageable host memory: the context's map tells.
CUresult copy(Context& context, Stream& stream, Place to, Place from, Shape shape, Mode mode);
CUresult fill(Context& context, Stream& stream, Place to, std::uint32_t value, std::uint32_t element_bytes, Shape shape,
              Mode mode);
/// Host bytes to the device, done when it returns.
CUresult upload(Context& context, std::uint64_t to, std::span<const std::byte> bytes);

}  // namespace castor::driver
