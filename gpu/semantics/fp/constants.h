// The constants of fli (Zfa manual, "Immediate values loaded by the FLI instructions") as bits of each format.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "gpu/semantics/fp/convert.h"

namespace castor::semantics::fp {

/// Entries 1 (smallest normal), 30 (infinity) and 31 (NaN) depend on the format and are not read from here.
inline constexpr std::array<double, 32> kFliValues = {-1.0,
                                                      0.0,
                                                      1.52587890625e-05,
                                                      3.0517578125e-05,
                                                      0.00390625,
                                                      0.0078125,
                                                      0.0625,
                                                      0.125,
                                                      0.25,
                                                      0.3125,
                                                      0.375,
                                                      0.4375,
                                                      0.5,
                                                      0.625,
                                                      0.75,
                                                      0.875,
                                                      1.0,
                                                      1.25,
                                                      1.5,
                                                      1.75,
                                                      2.0,
                                                      2.5,
                                                      3.0,
                                                      4.0,
                                                      8.0,
                                                      16.0,
                                                      128.0,
                                                      256.0,
                                                      32768.0,
                                                      65536.0,
                                                      0.0,
                                                      0.0};

template <class F>
Bits<F> fli(unsigned k) {
  if (k == 1) return static_cast<Bits<F>>(F::fraction_mask + 1);
  if (k == 30) return F::infinity;
  if (k == 31) return F::nan;
  Env env;  // 65536 is beyond a half: infinity
  return convert<F, Double>(std::bit_cast<std::uint64_t>(kFliValues[k]), env);
}

template <unsigned Width>
std::uint64_t fli_bits(unsigned k) {
  if constexpr (Width == 16) {
    return fli<Half>(k);
  } else if constexpr (Width == 32) {
    return fli<Single>(k);
  } else {
    return fli<Double>(k);
  }
}

}  // namespace castor::semantics::fp
