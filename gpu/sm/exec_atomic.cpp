// Atomic operations: host atomics, one lane after the other, sequentially consistent whatever the instruction asks for.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "gpu/semantics/fp/arithmetic.h"
#include "gpu/sm/exec.h"

namespace castor::sm {

namespace {

using semantics::AmoOp;
namespace fp = semantics::fp;

template <class Format>
std::uint32_t add_pair(std::uint32_t a, std::uint32_t b) {
  fp::Env env;
  const auto half = [&](unsigned shift) {
    const auto sum =
        fp::add<Format>(static_cast<std::uint16_t>(a >> shift), static_cast<std::uint16_t>(b >> shift), env);
    return static_cast<std::uint32_t>(sum) << shift;
  };
  return half(0) | half(16);
}

/// The new value of a location. T is unsigned.
template <class T>
T combine(AmoOp op, T old, T operand) {
  using Signed = std::make_signed_t<T>;
  fp::Env env;
  switch (op) {
    case AmoOp::swap: return operand;
    case AmoOp::add: return static_cast<T>(old + operand);
    case AmoOp::and_: return old & operand;
    case AmoOp::or_: return old | operand;
    case AmoOp::xor_: return old ^ operand;
    case AmoOp::min: return static_cast<T>(std::min(static_cast<Signed>(old), static_cast<Signed>(operand)));
    case AmoOp::max: return static_cast<T>(std::max(static_cast<Signed>(old), static_cast<Signed>(operand)));
    case AmoOp::minu: return std::min(old, operand);
    case AmoOp::maxu: return std::max(old, operand);
    case AmoOp::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AmoOp::dec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    case AmoOp::fadd_s:
      return static_cast<T>(
          fp::add<fp::Single>(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(operand), env));
    case AmoOp::fadd_d: return static_cast<T>(fp::add<fp::Double>(old, operand, env));
    case AmoOp::fadd_h2:
      return static_cast<T>(add_pair<fp::Half>(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(operand)));
    case AmoOp::fadd_b2:
      return static_cast<T>(add_pair<fp::Bfloat>(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(operand)));
  }
  return old;
}

template <class T>
T apply(AmoOp op, T* at, T operand) {
  switch (op) {
    case AmoOp::swap: return __atomic_exchange_n(at, operand, __ATOMIC_SEQ_CST);
    case AmoOp::add: return __atomic_fetch_add(at, operand, __ATOMIC_SEQ_CST);
    default: break;
  }
  T old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(at, &old, combine(op, old, operand), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return old;
}

template <class T>
T compare_and_swap(std::byte* host, std::uint64_t expected, std::uint64_t desired) {
  auto old = static_cast<T>(expected);
  __atomic_compare_exchange_n(reinterpret_cast<T*>(host), &old, static_cast<T>(desired), false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return old;
}

std::uint64_t load(std::byte* host, unsigned bytes) {
  return bytes == 8 ? __atomic_load_n(reinterpret_cast<std::uint64_t*>(host), __ATOMIC_SEQ_CST)
                    : __atomic_load_n(reinterpret_cast<std::uint32_t*>(host), __ATOMIC_SEQ_CST);
}

constexpr std::uint64_t kNoReservation = ~0ull;

}  // namespace

bool amo_lanes(Exec& x, unsigned op, unsigned bytes, LaneMask mask, const std::uint64_t* address,
               const std::uint64_t* operand, std::uint64_t* old) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::atomic, host)) return false;
  const auto what = static_cast<AmoOp>(op);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    old[lane] = bytes == 8 ? apply(what, reinterpret_cast<std::uint64_t*>(host[lane]), operand[lane])
                           : apply(what, reinterpret_cast<std::uint32_t*>(host[lane]),
                                   static_cast<std::uint32_t>(operand[lane]));
  }
  return true;
}

bool cas_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* expected,
               const std::uint64_t* desired, std::uint64_t* old) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::atomic, host)) return false;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    switch (bytes) {
      case 2: old[lane] = compare_and_swap<std::uint16_t>(host[lane], expected[lane], desired[lane]); break;
      case 4: old[lane] = compare_and_swap<std::uint32_t>(host[lane], expected[lane], desired[lane]); break;
      default: old[lane] = compare_and_swap<std::uint64_t>(host[lane], expected[lane], desired[lane]); break;
    }
  }
  return true;
}

bool lr_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, std::uint64_t* value) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::atomic, host)) return false;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    value[lane] = load(host[lane], bytes);
    x.warp->reserved_address[lane] = address[lane];
    x.warp->reserved_value[lane] = value[lane];
  }
  return true;
}

// A store between lr and sc is noticed by the value; one by a lane of the same warp also if it wrote the same value.
bool sc_lanes(Exec& x, unsigned bytes, LaneMask mask, const std::uint64_t* address, const std::uint64_t* value,
              std::uint64_t* failed) {
  std::byte* host[kWarpLanes];
  if (!resolve(x, address, mask, bytes, Access::atomic, host)) return false;
  WarpState& w = *x.warp;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint64_t reserved = w.reserved_value[lane];
    bool stored = w.reserved_address[lane] == address[lane];
    if (stored) {
      stored = bytes == 8 ? compare_and_swap<std::uint64_t>(host[lane], reserved, value[lane]) == reserved
                          : compare_and_swap<std::uint32_t>(host[lane], reserved, value[lane]) ==
                                static_cast<std::uint32_t>(reserved);
    }
    w.reserved_address[lane] = kNoReservation;
    failed[lane] = stored ? 0 : 1;
    for (unsigned other = 0; stored && other < kWarpLanes; ++other) {
      if (w.reserved_address[other] == address[lane]) w.reserved_address[other] = kNoReservation;
    }
  }
  return true;
}

}  // namespace castor::sm
