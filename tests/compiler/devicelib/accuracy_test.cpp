// The device library's sources, compiled for the host, against MPFR.
#include <mpfr.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/support/catch.h"

extern "C" {
#define DOUBLE(name, mpfr, from, to, bound) double castor_host_##name(double);
#define SPREAD(name, mpfr, from, to, bound) double castor_host_##name(double);
#define SINGLE(name, mpfr, from, to, bound) float castor_host_##name(float);
#define SINGLE_SPREAD(name, mpfr, from, to, bound) float castor_host_##name(float);
#include "tests/compiler/devicelib/functions.inc"
#undef DOUBLE
#undef SPREAD
#undef SINGLE
#undef SINGLE_SPREAD
double castor_host_pow(double, double);
float castor_host_powf(float, float);
double castor_host_atan2(double, double);
double castor_host_hypot(double, double);
double castor_host_fmod(double, double);
float castor_host_fmodf(float, float);
double castor_host_remainder(double, double);
double castor_host_remquo(double, double, int*);
double castor_host_ldexp(double, int);
float castor_host_ldexpf(float, int);
double castor_host_frexp(double, int*);
double castor_host_logb(double);
double castor_host_nextafter(double, double);
double castor_host_modf(double, double*);
double castor_host___castor_erfinv(double);
double castor_host___castor_normcdfinv(double);
double castor_host___castor_sinpi(double);
double castor_host___castor_cospi(double);
}

namespace castor::compiler::test {
namespace {

using MpfrFunction = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

constexpr int kSamples = 4000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

class Exact {
 public:
  explicit Exact(double x) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  mpfr_t& get() { return value_; }

  /// Distance of `approximate` in units of the last place of the exact value, in a format of `digits` bits whose smallest
  /// number is 2^lowest.
  double distance(double approximate, int digits, int lowest) {
    if (!std::isfinite(approximate) || !mpfr_number_p(value_)) {
      const double rounded = mpfr_get_d(value_, MPFR_RNDN);
      return rounded == approximate || (std::isnan(rounded) && std::isnan(approximate)) ? 0 : kInfinity;
    }
    const double exponent = mpfr_zero_p(value_) ? lowest : static_cast<double>(mpfr_get_exp(value_)) - digits;
    mpfr_sub_d(value_, value_, approximate, MPFR_RNDN);
    mpfr_mul_2si(value_, value_, -static_cast<long>(std::max<double>(exponent, lowest)), MPFR_RNDN);
    return std::fabs(mpfr_get_d(value_, MPFR_RNDN));
  }

 private:
  mpfr_t value_;
};

double even(std::mt19937_64& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

/// Exponents from 2^-60 (or `from`) to `to`, evenly.
double spread(std::mt19937_64& random, double from, double to) {
  const double low = from > 0 ? from : 0x1p-60;
  const double magnitude = std::exp2(even(random, std::log2(low), std::log2(to)));
  return from < 0 && (random() & 1) != 0 ? -magnitude : magnitude;
}

template <class T, class Pick>
void check(const char* name, T (*function)(T), MpfrFunction exact, double from, double to, double bound, Pick pick) {
  constexpr bool single = sizeof(T) == 4;
  std::mt19937_64 random(42);
  double worst = 0, worst_at = 0;
  for (int i = 0; i < kSamples; ++i) {
    const T x = static_cast<T>(pick(random, from, to));
    Exact value(x);
    exact(value.get(), value.get(), MPFR_RNDN);
    const double distance = value.distance(function(x), single ? 24 : 53, single ? -149 : -1074);
    if (distance > worst) worst = distance, worst_at = x;
  }
  CAPTURE(name, worst_at, static_cast<double>(function(static_cast<T>(worst_at))));
  CHECK(worst <= bound);
}

TEST_CASE("functions of one argument") {
#define DOUBLE(name, mpfr, from, to, bound) check<double>(#name, castor_host_##name, mpfr, from, to, bound, even);
#define SPREAD(name, mpfr, from, to, bound) check<double>(#name, castor_host_##name, mpfr, from, to, bound, spread);
#define SINGLE(name, mpfr, from, to, bound) check<float>(#name, castor_host_##name, mpfr, from, to, bound, even);
#define SINGLE_SPREAD(name, mpfr, from, to, bound) \
  check<float>(#name, castor_host_##name, mpfr, from, to, bound, spread);
#include "tests/compiler/devicelib/functions.inc"
#undef DOUBLE
#undef SPREAD
#undef SINGLE
#undef SINGLE_SPREAD
}

TEST_CASE("pow") {
  std::mt19937_64 random(1);
  double worst = 0, worst_single = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double x = spread(random, 0x1p-100, 0x1p100);
    const double y = even(random, -1000, 1000) / std::max(1.0, std::fabs(std::log2(x)));
    Exact value(x), exponent(y);
    mpfr_pow(value.get(), value.get(), exponent.get(), MPFR_RNDN);
    worst = std::max(worst, value.distance(castor_host_pow(x, y), 53, -1074));
    const float a = static_cast<float>(x), b = static_cast<float>(y / 8);
    Exact single(a), small(b);
    mpfr_pow(single.get(), single.get(), small.get(), MPFR_RNDN);
    if (mpfr_get_exp(single.get()) < 128)
      worst_single = std::max(worst_single, single.distance(castor_host_powf(a, b), 24, -149));
  }
  CHECK(worst <= 1.1);
  CHECK(worst_single <= 0.6);
}

TEST_CASE("pow of special arguments is as ISO C says") {
  const double cases[] = {0.0,  -0.0, 1.0,  -1.0,      2.0,        -2.0, 3.0,   -3.0,  0.5,
                          -0.5, 2.5,  -2.5, kInfinity, -kInfinity, kNan, 1e300, 5e-324};
  for (const double x : cases)
    for (const double y : cases) {
      const double expected = std::pow(x, y), actual = castor_host_pow(x, y);
      CAPTURE(x, y, expected, actual);
      CHECK((std::isnan(expected)
                 ? std::isnan(actual)
                 : std::fabs(expected - actual) <= std::fabs(expected) * 0x1p-51 || expected == actual));
      if (!std::isnan(expected)) CHECK(std::signbit(expected) == std::signbit(actual));
    }
}

TEST_CASE("special arguments of one-argument functions") {
  CHECK(castor_host_exp(1000) == kInfinity);
  CHECK(castor_host_exp(-1000) == 0);
  CHECK(castor_host_exp(-kInfinity) == 0);
  CHECK(castor_host_exp(kInfinity) == kInfinity);
  CHECK(std::isnan(castor_host_exp(kNan)));
  CHECK(castor_host_log(0) == -kInfinity);
  CHECK(std::isnan(castor_host_log(-1)));
  CHECK(castor_host_log(kInfinity) == kInfinity);
  CHECK(castor_host_log(1) == 0);
  CHECK(castor_host_log2(8) == 3);
  CHECK(castor_host_exp2(10) == 1024);
  CHECK(castor_host_exp10(3) == 1000);
  CHECK(std::isnan(castor_host_sin(kInfinity)));
  CHECK(std::signbit(castor_host_sin(-0.0)));
  CHECK(std::signbit(castor_host_sinf(-0.0f)));
  CHECK(castor_host_cos(0) == 1);
  CHECK(castor_host_atan(kInfinity) == M_PI_2);
  CHECK(std::isnan(castor_host_asin(1.5)));
  CHECK(castor_host_acos(1) == 0);
  CHECK(castor_host_tgamma(5) == 24);
  CHECK(castor_host_erf(kInfinity) == 1);
  CHECK(castor_host_erfc(-kInfinity) == 2);
  CHECK(castor_host_tanh(kInfinity) == 1);
  CHECK(castor_host_sinh(-kInfinity) == -kInfinity);
  CHECK(castor_host_cbrt(-27) == -3);
  CHECK(castor_host_expf(100) == kInfinity);
  CHECK(castor_host___castor_sinpi(1e15 + 0.5) == 1);
  CHECK(castor_host___castor_cospi(1) == -1);
}

TEST_CASE("functions of two arguments") {
  std::mt19937_64 random(2);
  double worst_atan = 0, worst_hypot = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double x = spread(random, -1, 0x1p60), y = spread(random, -1, 0x1p60);
    Exact a(y), b(x), c(x), d(y);
    mpfr_atan2(a.get(), a.get(), b.get(), MPFR_RNDN);
    worst_atan = std::max(worst_atan, a.distance(castor_host_atan2(y, x), 53, -1074));
    mpfr_hypot(c.get(), c.get(), d.get(), MPFR_RNDN);
    worst_hypot = std::max(worst_hypot, c.distance(castor_host_hypot(x, y), 53, -1074));
  }
  CHECK(worst_atan <= 2.0);
  CHECK(worst_hypot <= 1.0);
  CHECK(castor_host_hypot(1e300, 1e300) == Approx(std::hypot(1e300, 1e300)));
  for (const double y : {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity})
    for (const double x : {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity}) {
      CAPTURE(y, x);
      CHECK(castor_host_atan2(y, x) == std::atan2(y, x));
      CHECK(std::signbit(castor_host_atan2(y, x)) == std::signbit(std::atan2(y, x)));
    }
}

/// Any number: bits at random.
double any_double(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

void same(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return;
  CHECK(a == b);
  CHECK(std::signbit(a) == std::signbit(b));
}

TEST_CASE("exact functions agree with the C library") {
  std::mt19937_64 random(3);
  for (int i = 0; i < kSamples; ++i) {
    double x = any_double(random), y = any_double(random);
    if (i % 2 == 0) x = spread(random, -1, 0x1p40), y = spread(random, -1, 0x1p20);
    CAPTURE(x, y);
    same(castor_host_fmod(x, y), std::fmod(x, y));
    same(castor_host_remainder(x, y), std::remainder(x, y));
    int q1 = 0, q2 = 0;
    same(castor_host_remquo(x, y, &q1), std::remquo(x, y, &q2));
    if (std::isfinite(x) && std::isfinite(y) && y != 0) CHECK((q1 & 7) == (q2 & 7));
    const int k = static_cast<int>(random() % 4400) - 2200;
    same(castor_host_ldexp(x, k), std::ldexp(x, k));
    same(castor_host_ldexpf(static_cast<float>(x), k / 8), std::ldexp(static_cast<float>(x), k / 8));
    int e1 = 0, e2 = 0;
    same(castor_host_frexp(x, &e1), std::frexp(x, &e2));
    if (std::isfinite(x)) CHECK(e1 == e2);
    same(castor_host_logb(x), std::logb(x));
    same(castor_host_nextafter(x, y), std::nextafter(x, y));
    double w1 = 0, w2 = 0;
    same(castor_host_modf(x, &w1), std::modf(x, &w2));
    same(w1, w2);
    same(castor_host_fmodf(static_cast<float>(x), static_cast<float>(y)),
         std::fmod(static_cast<float>(x), static_cast<float>(y)));
  }
}

TEST_CASE("inverse error function undoes the error function") {
  for (double x = -5; x <= 5; x += 0.01) {
    CAPTURE(x);
    const double p = std::erf(x);
    // dx = dp / erf'(x): the argument's own rounding limits the answer.
    const double slack = 0x1p-52 / (1.1283791670955126 * std::exp(-x * x)) + 4 * std::fabs(x) * 0x1p-52;
    CHECK(std::fabs(castor_host___castor_erfinv(p) - x) <= slack);
  }
  CHECK(castor_host___castor_normcdfinv(0.975) == Approx(1.959963984540054).epsilon(1e-14));
}

}  // namespace
}  // namespace castor::compiler::test
