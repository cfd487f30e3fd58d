// 32 lanes as explicit vectors. Compiled once for each level of the host's instruction set, each in a namespace of its own,
// so that no function compiled for one level is ever linked into another.
#pragma once

#include <cstdint>

#include "gpu/sm/exec.h"

#ifndef CASTOR_LEVEL
#define CASTOR_LEVEL baseline  // for tools that look at this header alone
#endif

// Vectors by value look different at each level, but no function that passes one is called from another file.
#pragma clang diagnostic ignored "-Wpsabi"

#define CASTOR_INLINE [[gnu::always_inline]] inline

namespace castor::sm::CASTOR_LEVEL {

using U8 = std::uint8_t __attribute__((ext_vector_type(32)));
using S8 = std::int8_t __attribute__((ext_vector_type(32)));
using U16 = std::uint16_t __attribute__((ext_vector_type(32)));
using S16 = std::int16_t __attribute__((ext_vector_type(32)));
using U32 = std::uint32_t __attribute__((ext_vector_type(32)));
using S32 = std::int32_t __attribute__((ext_vector_type(32)));
using U64 = std::uint64_t __attribute__((ext_vector_type(32)));
using S64 = std::int64_t __attribute__((ext_vector_type(32)));
using F32 = float __attribute__((ext_vector_type(32)));
using F64 = double __attribute__((ext_vector_type(32)));
using Bool = bool __attribute__((ext_vector_type(32)));
/// Halves are kept as their bits: arithmetic on them goes lane by lane.
struct F16 {
  U16 bits;
};

template <class To, class From>
CASTOR_INLINE To cast(From from) {
  return __builtin_bit_cast(To, from);
}
template <class To, class From>
CASTOR_INLINE To convert(From from) {
  return __builtin_convertvector(from, To);
}

CASTOR_INLINE std::uint32_t to_bits(Bool p) { return __builtin_bit_cast(std::uint32_t, p); }
CASTOR_INLINE Bool from_bits(std::uint32_t mask) { return __builtin_bit_cast(Bool, mask); }
/// Comparisons of vectors give 0 and -1 of the operands' width.
template <class Mask>
CASTOR_INLINE Bool truth(Mask mask) {
  return convert<Bool>(mask != 0);
}
CASTOR_INLINE U64 choose(Bool p, U64 a, U64 b) { return (convert<S64>(p) != 0) ? a : b; }
CASTOR_INLINE S64 choose(Bool p, S64 a, S64 b) { return (convert<S64>(p) != 0) ? a : b; }
CASTOR_INLINE U32 choose(Bool p, U32 a, U32 b) { return (convert<S32>(p) != 0) ? a : b; }
CASTOR_INLINE S32 choose(Bool p, S32 a, S32 b) { return (convert<S32>(p) != 0) ? a : b; }
CASTOR_INLINE F32 choose(Bool p, F32 a, F32 b) { return (convert<S32>(p) != 0) ? a : b; }
CASTOR_INLINE F64 choose(Bool p, F64 a, F64 b) { return (convert<S64>(p) != 0) ? a : b; }
CASTOR_INLINE U16 choose(Bool p, U16 a, U16 b) { return (convert<S16>(p) != 0) ? a : b; }

template <class Vector, class Scalar>
CASTOR_INLINE Vector splat(Scalar value) {
  return static_cast<Vector>(value);
}

CASTOR_INLINE U64 lane_numbers() {
  return U64{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
}

template <class Vector>
CASTOR_INLINE Vector load_row(const void* from) {
  Vector value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class Vector>
CASTOR_INLINE void store_row(void* to, Vector value) {
  __builtin_memcpy(to, &value, sizeof value);
}

CASTOR_INLINE unsigned lowest(LaneMask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }
CASTOR_INLINE unsigned count(LaneMask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

}  // namespace castor::sm::CASTOR_LEVEL
