// Loads and stores of 32 lanes. The usual patterns (consecutive, all the same, anywhere within one host range, the same
// offset of each lane's local window) go at vector speed; everything else, faults included, through load_lanes.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <type_traits>

#include "gpu/abi/address_space.h"
#include "gpu/sm/simd_float.h"

namespace castor::sm::CASTOR_LEVEL {

using semantics::AmoOp;
using semantics::MemType;

template <unsigned Bytes>
struct ElementOf;
template <>
struct ElementOf<1> {
  using type = U8;
};
template <>
struct ElementOf<2> {
  using type = U16;
};
template <>
struct ElementOf<4> {
  using type = U32;
};
template <>
struct ElementOf<8> {
  using type = U64;
};
template <unsigned Bytes>
using Element = typename ElementOf<Bytes>::type;

/// One access: where its lanes' addresses lie.
struct Pattern {
  const HostRange* range = nullptr;  // null: not in one range
  bool consecutive = false, uniform = false, local = false;
  std::uint64_t first =
      0;  // host address: consecutive: of lane 0 (even if it does not take part); uniform: of all; local: the row's
  unsigned shift = 0;  // local: bit offset within the 8-byte unit
};

/// Reads each lane's element at its host address.
template <unsigned Bytes>
CASTOR_INLINE Element<Bytes> gather(U64 host, LaneMask mask) {
  alignas(64) std::uint64_t at[kWarpLanes];
  Element<Bytes> result{};
#ifdef __AVX512F__
  if constexpr (Bytes == 8) {
    alignas(64) std::uint64_t out[kWarpLanes];
    store_row(at, host);
    for (unsigned i = 0; i < 4; ++i) {
      const __m512i value = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), static_cast<__mmask8>(mask >> 8 * i),
                                                        _mm512_load_si512(at + 8 * i), nullptr, 1);
      _mm512_store_si512(out + 8 * i, value);
    }
    return load_row<U64>(out);
  }
  if constexpr (Bytes == 4) {
    alignas(64) std::uint32_t out[kWarpLanes];
    store_row(at, host);
    for (unsigned i = 0; i < 4; ++i) {
      const __m256i value = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), static_cast<__mmask8>(mask >> 8 * i),
                                                        _mm512_load_si512(at + 8 * i), nullptr, 1);
      _mm256_store_si256(reinterpret_cast<__m256i*>(out + 8 * i), value);
    }
    return load_row<U32>(out);
  }
#endif
  store_row(at, host);
  alignas(64) unsigned char out[kWarpLanes * Bytes] = {};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    __builtin_memcpy(out + lane * Bytes, reinterpret_cast<const void*>(at[lane]), Bytes);
  }
  __builtin_memcpy(&result, out, sizeof result);
  return result;
}

/// Writes each lane's element at its host address, in the order of the lanes.
template <unsigned Bytes>
CASTOR_INLINE void scatter(U64 host, LaneMask mask, Element<Bytes> value) {
  alignas(64) std::uint64_t at[kWarpLanes];
  alignas(64) unsigned char in[kWarpLanes * Bytes];
  store_row(at, host);
  __builtin_memcpy(in, &value, sizeof value);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    __builtin_memcpy(reinterpret_cast<void*>(at[lane]), in + lane * Bytes, Bytes);
  }
}

template <bool All, bool Exact>
struct MemoryOps : FloatOps<All, Exact> {
  using Base = FloatOps<All, Exact>;
  using Base::Base, Base::x, Base::mask, Base::i64, Base::stopped;
  using I64 = U64;

  CASTOR_INLINE bool everywhere(Bool p) { return All ? to_bits(p) == kAllLanes : (to_bits(p) & x.mask) == x.mask; }

  template <unsigned Bytes>
  CASTOR_INLINE Pattern pattern(I64 address, Access access) {
    Pattern found;
    const unsigned lane = All ? 0 : lowest(x.mask);
    const std::uint64_t first = address[lane];
    const U64 numbers = All ? lane_numbers() : lane_numbers() - lane, delta = address - first;
    if (first < CASTOR_SHARED_WINDOW || first - x.shared.base < x.shared.size) {
      found.range = &x.shared;
      if (first < CASTOR_SHARED_WINDOW) {
        const HostRange* line = &x.tlb->line[hash_index(first >> 16, Tlb::kBits)];
        const bool hit = first - line->base < line->size && (line->permissions & permission_bit(access)) != 0;
        found.range = hit ? line : fill_tlb(x, first, access);
        if (found.range == nullptr) return found;
      }
      const HostRange& range = *found.range;
      const std::uint64_t origin = All ? first : first - lane * Bytes;
      if (first % Bytes == 0 && everywhere(truth(delta == numbers * Bytes)) && within(range, first, origin, Bytes)) {
        found.consecutive = true;
        found.first = origin + range.to_host;
      } else if (first % Bytes == 0 && everywhere(truth(delta == 0)) && range.size - (first - range.base) >= Bytes) {
        found.uniform = true;
        found.first = first + range.to_host;
      } else if (!everywhere(truth((address & (Bytes - 1)) == 0)) || range.size < Bytes ||
                 !everywhere(truth(address - range.base <= range.size - Bytes))) {
        found.range = nullptr;
      }
      return found;
    }
    const std::uint64_t floor = CASTOR_LOCAL_STRIDE - x.local_bytes;
    const std::uint64_t offset = first - lane * CASTOR_LOCAL_STRIDE - x.local_window - floor;
    if (offset < x.local_bytes && first % Bytes == 0 && everywhere(truth(delta == numbers * CASTOR_LOCAL_STRIDE))) {
      found.local = true;
      found.first = reinterpret_cast<std::uint64_t>(x.local) + offset / 8 * (8 * kWarpLanes);
      found.shift = offset % 8 * 8;
    }
    return found;
  }

  /// Whether the consecutive elements of all executing lanes lie in the range.
  CASTOR_INLINE bool within(const HostRange& range, std::uint64_t first, std::uint64_t origin, unsigned bytes) {
    if constexpr (All) return range.size - (first - range.base) >= kWarpLanes * bytes;
    const std::uint64_t end = origin + (kWarpLanes - static_cast<unsigned>(__builtin_clz(x.mask))) * bytes;
    return end - range.base <= range.size;
  }

  template <unsigned Bytes>
  CASTOR_INLINE Element<Bytes> load_consecutive(std::uint64_t host) {
    if constexpr (All) return load_row<Element<Bytes>>(reinterpret_cast<const void*>(host));
#ifdef __AVX512F__
    if constexpr (Bytes == 4) {
      alignas(64) std::uint32_t out[kWarpLanes];
      const auto* from = reinterpret_cast<const std::uint32_t*>(host);
      _mm512_store_si512(out, _mm512_maskz_loadu_epi32(static_cast<__mmask16>(x.mask), from));
      _mm512_store_si512(out + 16, _mm512_maskz_loadu_epi32(static_cast<__mmask16>(x.mask >> 16), from + 16));
      return load_row<U32>(out);
    }
#endif
    return gather<Bytes>(splat<U64>(host) + lane_numbers() * Bytes, x.mask);
  }

  /// Anywhere, but tiles of 16 columns make two groups of lanes that are consecutive or all the same.
  template <unsigned Bytes>
  CASTOR_INLINE Element<Bytes> load_scattered(U64 host) {
    if constexpr (All && Bytes >= 4) {
      constexpr unsigned kHalf = kWarpLanes / 2;
      const U64 numbers = lane_numbers();
      const std::uint64_t low = host[0], high = host[kHalf];
      const U64 delta = host - choose(from_bits(0xffff), splat<U64>(low), splat<U64>(high));
      const LaneMask same = to_bits(truth(delta == 0));
      const LaneMask consecutive = to_bits(truth(delta == (numbers & (kHalf - 1)) * Bytes));
      const auto whole = [](LaneMask lanes, unsigned half) { return (lanes >> kHalf * half & 0xffff) == 0xffff; };
      if ((whole(same, 0) || whole(consecutive, 0)) && (whole(same, 1) || whole(consecutive, 1))) {
        alignas(64) unsigned char out[kWarpLanes * Bytes];
        load_half<Bytes>(out, low, whole(same, 0));
        load_half<Bytes>(out + kHalf * Bytes, high, whole(same, 1));
        return load_row<Element<Bytes>>(out);
      }
    }
    return gather<Bytes>(host, mask());
  }
  template <unsigned Bytes>
  CASTOR_INLINE void load_half(unsigned char* out, std::uint64_t host, bool same) {
    using Half [[gnu::vector_size(16 * Bytes)]] = std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t>;
    const auto* from = reinterpret_cast<const void*>(host);
    if (!same) {
      __builtin_memcpy(out, from, 16 * Bytes);
      return;
    }
    std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t> value;
    __builtin_memcpy(&value, from, Bytes);
    const Half row = value - Half{};
    __builtin_memcpy(out, &row, sizeof row);
  }

  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 extend(Element<Bytes> v) {
    if constexpr (!Signed)
      return convert<U64>(v);
    else if constexpr (Bytes == 1)
      return cast<U64>(convert<S64>(cast<S8>(v)));
    else if constexpr (Bytes == 2)
      return cast<U64>(convert<S64>(cast<S16>(v)));
    else if constexpr (Bytes == 4)
      return cast<U64>(convert<S64>(cast<S32>(v)));
    else
      return v;
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 extend_low(I64 v) {
    return extend<Bytes, Signed>(convert<Element<Bytes>>(v));
  }

  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 load(MemType<Bytes, Signed>, I64 address) {
    const Pattern p = pattern<Bytes>(address, Access::read);
    if (p.consecutive) return extend<Bytes, Signed>(load_consecutive<Bytes>(p.first));
    if (p.local) return extend_low<Bytes, Signed>(load_row<U64>(reinterpret_cast<const void*>(p.first)) >> p.shift);
    if (p.uniform) {
      std::uint64_t value = 0;
      __builtin_memcpy(&value, reinterpret_cast<const void*>(p.first), Bytes);
      return extend_low<Bytes, Signed>(i64(value));
    }
    if (p.range != nullptr) return extend<Bytes, Signed>(load_scattered<Bytes>(address + p.range->to_host));
    alignas(64) std::uint64_t at[kWarpLanes], value[kWarpLanes];
    store_row(at, address);
    store_row(value, i64(0));
    if (!load_lanes(x, Bytes, mask(), at, value)) stopped = true;
    return extend_low<Bytes, Signed>(load_row<U64>(value));
  }

  template <unsigned Bytes>
  CASTOR_INLINE void store_consecutive(std::uint64_t host, Element<Bytes> value) {
    if constexpr (All) {
      store_row(reinterpret_cast<void*>(host), value);
      return;
    }
#ifdef __AVX512F__
    if constexpr (Bytes == 4) {
      alignas(64) std::uint32_t in[kWarpLanes];
      store_row(in, value);
      auto* to = reinterpret_cast<std::uint32_t*>(host);
      _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(x.mask), _mm512_load_si512(in));
      _mm512_mask_storeu_epi32(to + 16, static_cast<__mmask16>(x.mask >> 16), _mm512_load_si512(in + 16));
      return;
    }
#endif
    scatter<Bytes>(splat<U64>(host) + lane_numbers() * Bytes, mask(), value);
  }

  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE void store(MemType<Bytes, Signed>, I64 address, I64 value) {
    const Pattern p = pattern<Bytes>(address, Access::write);
    const Element<Bytes> narrow = convert<Element<Bytes>>(value);
    if (p.consecutive) return store_consecutive<Bytes>(p.first, narrow);
    if (p.local) {
      auto* row = reinterpret_cast<std::uint64_t*>(p.first);
      if constexpr (Bytes == 8) return Base::write(row, value);
      const std::uint64_t field = ((1ull << Bytes % 8 * 8) - 1) << p.shift;
      return Base::write(row, (load_row<U64>(row) & ~field) | ((value << p.shift) & field));
    }
    if (p.range != nullptr && !p.uniform) return scatter<Bytes>(address + p.range->to_host, mask(), narrow);
    alignas(64) std::uint64_t at[kWarpLanes], in[kWarpLanes];
    store_row(at, address);
    store_row(in, value);
    if (!store_lanes(x, Bytes, mask(), at, in)) stopped = true;
  }

  // Atomics: operands through memory, one lane after the other.
  struct Operands {
    alignas(64) std::uint64_t address[kWarpLanes], a[kWarpLanes], b[kWarpLanes], result[kWarpLanes];
  };
  CASTOR_INLINE void spill(Operands& o, I64 address, I64 a, I64 b) {
    store_row(o.address, address);
    store_row(o.a, a);
    store_row(o.b, b);
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 outcome(bool ok, const Operands& o) {
    if (!ok) stopped = true;
    return extend_low<Bytes, Signed>(load_row<U64>(o.result));
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 amo(AmoOp op, MemType<Bytes, Signed>, I64 address, I64 operand) {
    Operands o;
    spill(o, address, operand, operand);
    return outcome<Bytes, Signed>(amo_lanes(x, static_cast<unsigned>(op), Bytes, mask(), o.address, o.a, o.result), o);
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 cas(MemType<Bytes, Signed>, I64 address, I64 expected, I64 desired) {
    Operands o;
    spill(o, address, expected, desired);
    return outcome<Bytes, Signed>(cas_lanes(x, Bytes, mask(), o.address, o.a, o.b, o.result), o);
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 lr(MemType<Bytes, Signed>, I64 address) {
    Operands o;
    spill(o, address, address, address);
    return outcome<Bytes, Signed>(lr_lanes(x, Bytes, mask(), o.address, o.result), o);
  }
  template <unsigned Bytes, bool Signed>
  CASTOR_INLINE I64 sc(MemType<Bytes, Signed>, I64 address, I64 value) {
    Operands o;
    spill(o, address, value, value);
    return outcome<8, false>(sc_lanes(x, Bytes, mask(), o.address, o.a, o.result), o);
  }
  CASTOR_INLINE void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
};

}  // namespace castor::sm::CASTOR_LEVEL
