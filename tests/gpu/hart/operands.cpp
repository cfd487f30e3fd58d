#include "tests/gpu/hart/operands.h"

namespace castor::hart::testing {
namespace {

namespace fp = semantics::fp;

std::mt19937_64& random() {
  static std::mt19937_64 engine(20);
  return engine;
}

std::vector<std::uint64_t> integer_edges() {
  std::vector<std::uint64_t> edges = {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 0x0102030405060708, 0x00ff00800001007f};
  for (unsigned bit : {7u, 8u, 15u, 16u, 24u, 31u, 32u, 53u, 62u, 63u}) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (std::uint64_t x : {power - 1, power, power + 1}) {
      edges.push_back(x);
      edges.push_back(0 - x);
    }
  }
  return edges;
}

/// Random bits of random length, so that small numbers are as likely as large ones.
std::uint64_t random_integer() {
  const std::uint64_t bits = random()() >> random()() % 64;
  return random()() % 2 == 0 ? bits : 0 - bits;
}

template <class F>
std::uint64_t box(std::uint64_t bits) {
  if constexpr (sizeof(fp::Bits<F>) == 8) {
    return bits;
  } else {
    return bits | ~std::uint64_t{0} << 8 * sizeof(fp::Bits<F>);
  }
}

template <class F>
std::uint64_t compose(bool negative, int exponent, std::uint64_t fraction) {
  return (negative ? std::uint64_t{F::sign} : 0) | static_cast<std::uint64_t>(exponent + F::bias) << F::fraction_bits |
         (fraction & F::fraction_mask);
}

template <class F>
std::vector<std::uint64_t> float_edges() {
  constexpr std::uint64_t kOne = std::uint64_t{F::bias} << F::fraction_bits,
                          kStep = std::uint64_t{1} << F::fraction_bits;
  std::vector<std::uint64_t> magnitudes = {0,
                                           1,
                                           2,
                                           3,
                                           F::fraction_mask / 2,
                                           F::fraction_mask - 1,
                                           F::fraction_mask,
                                           kStep,
                                           kStep + 1,
                                           2 * kStep - 1,
                                           2 * kStep,
                                           kOne - kStep - 1,
                                           kOne - kStep,
                                           kOne - kStep + 1,
                                           kOne - 1,
                                           kOne,
                                           kOne + 1,
                                           kOne + kStep / 2,
                                           kOne + kStep / 2 + 1,
                                           kOne + kStep,
                                           kOne + kStep + kStep / 4,
                                           kOne + kStep + kStep / 2,
                                           F::largest,
                                           F::largest - 1,
                                           F::largest - kStep,
                                           F::infinity,
                                           F::nan,
                                           F::nan | 1u,
                                           F::infinity | 1u,
                                           F::infinity | (F::fraction_mask >> 1)};
  // Around the limits of the integer types.
  for (int exponent : {7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64}) {
    if (exponent > F::emax) continue;
    const std::uint64_t power = compose<F>(false, exponent, 0);
    for (std::uint64_t x : {power - 1, power, power + 1, power | kStep / 2}) magnitudes.push_back(x);
  }
  std::vector<std::uint64_t> edges;
  for (std::uint64_t x : magnitudes) {
    edges.push_back(box<F>(x));
    edges.push_back(box<F>(x | F::sign));
  }
  if constexpr (sizeof(fp::Bits<F>) < 8) {
    edges.push_back(kOne);                                      // no box at all
    edges.push_back(box<F>(kOne) & ~(std::uint64_t{1} << 63));  // one bit of it missing
    edges.push_back(box<F>(kOne) ^ std::uint64_t{1} << 8 * sizeof(fp::Bits<F>));
  }
  return edges;
}

/// Fractions are random, or have few ones at either end, where ties and carries come from.
template <class F>
std::uint64_t random_fraction() {
  const std::uint64_t bits = random()();
  switch (random()() % 4) {
    case 0: return bits & 3;
    case 1: return F::fraction_mask ^ (bits & 3);
    case 2: return bits << (F::fraction_bits - 3) & F::fraction_mask;
    default: return bits & F::fraction_mask;
  }
}

template <class F>
std::uint64_t random_near(int exponent) {
  const int spread = static_cast<int>(random()() % (2 * F::precision + 7)) - F::precision - 3;
  const int clamped = std::min(std::max(exponent + spread, F::emin - 1), F::emax);  // emin - 1: subnormal
  return box<F>(compose<F>(random()() % 2 == 0, clamped, random_fraction<F>()));
}

template <class F>
int random_exponent() {
  return static_cast<int>(random()() % (F::emax - F::emin + 2)) + F::emin - 1;
}

template <class T>
T pick(const std::vector<T>& from) {
  return from[random()() % from.size()];
}

}  // namespace

Operands integer_operands() {
  Operands operands;
  const auto edges = integer_edges();
  for (std::uint64_t a : edges) {
    for (std::uint64_t b : edges) operands.push_back({a, b, 0});
  }
  for (int i = 0; i < 1000; ++i) operands.push_back({random_integer(), random_integer(), 0});
  return operands;
}

Operands integer_singles() {
  Operands operands;
  for (std::uint64_t a : integer_edges()) operands.push_back({a, 0, 0});
  for (int i = 0; i < 1500; ++i) operands.push_back({random_integer(), 0, 0});
  return operands;
}

template <class F>
Operands float_pairs() {
  Operands operands;
  const auto edges = float_edges<F>();
  for (std::uint64_t a : edges) {
    for (int i = 0; i < 40; ++i) operands.push_back({a, pick(edges), 0});
  }
  for (int i = 0; i < 2500; ++i) {
    const int exponent = random_exponent<F>();
    operands.push_back({random_near<F>(exponent), random_near<F>(i % 2 == 0 ? exponent : -exponent), 0});
  }
  return operands;
}

template <class F>
Operands float_triples() {
  Operands operands;
  const auto edges = float_edges<F>();
  for (std::uint64_t a : edges) {
    for (int i = 0; i < 40; ++i) operands.push_back({a, pick(edges), pick(edges)});
  }
  for (int i = 0; i < 4000; ++i) {
    // The addend lies near the product, so that they cancel or just touch.
    const int a = random_exponent<F>() / 2, b = random_exponent<F>() / 2;
    operands.push_back({random_near<F>(a), random_near<F>(b), random_near<F>(a + b)});
  }
  return operands;
}

template <class F>
Operands float_singles() {
  Operands operands;
  for (std::uint64_t a : float_edges<F>()) operands.push_back({a, 0, 0});
  for (int i = 0; i < 1500; ++i) operands.push_back({random_near<F>(i % 2 == 0 ? 0 : random_exponent<F>()), 0, 0});
  for (int i = 0; i < 500; ++i) operands.push_back({box<F>(random()() >> (64 - 8 * sizeof(fp::Bits<F>))), 0, 0});
  return operands;
}

template Operands float_pairs<fp::Half>();
template Operands float_pairs<fp::Single>();
template Operands float_pairs<fp::Double>();
template Operands float_triples<fp::Half>();
template Operands float_triples<fp::Single>();
template Operands float_triples<fp::Double>();
template Operands float_singles<fp::Half>();
template Operands float_singles<fp::Single>();
template Operands float_singles<fp::Double>();

}  // namespace castor::hart::testing
