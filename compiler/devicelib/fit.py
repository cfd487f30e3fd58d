#!/usr/bin/env python3
"""Writes coefficients.h: polynomials for the device library, fitted with mpmath (near-minimax: Chebyshev interpolation),
and constants split in parts. Run it by hand when a fit changes: compiler/devicelib/fit.py > compiler/devicelib/coefficients.h"""
from mpmath import mp, mpf, chebyfit, exp, log, sin, cos, sqrt, atan, asin, erfc, erf, gamma, loggamma, pi, taylor, floor, ldexp

mp.prec = 250


def hexfloat(x):
    return float(x).hex()


def emit(name, coefficients):
    """Constant term first."""
    print(f"constexpr double {name}[] = {{")
    for c in coefficients:
        print(f"    {hexfloat(c)},")
    print("};")


def fit(name, f, a, b, terms):
    """f on [a, b] by a polynomial of `terms` coefficients."""
    coefficients, error = chebyfit(f, [mpf(a), mpf(b)], terms, error=True)
    print(f"// largest error of the fit: {mp.nstr(error, 3)}")
    emit(name, list(reversed(coefficients)))


def parts(name, value, bits):
    """value as a sum of doubles, all but the last with `bits` significant bits."""
    rest, out = mpf(value), []
    for width in bits:
        exponent = int(floor(log(abs(rest), 2)))
        unit = ldexp(mpf(1), exponent - width + 1)
        part = floor(rest / unit) * unit
        out.append(part)
        rest -= part
    out.append(rest)
    for i, part in enumerate(out):
        print(f"constexpr double {name}{i} = {hexfloat(part)};")


def even(f):
    """f(sqrt(z)) with the removable singularity at zero stepped around."""
    return lambda z: f(sqrt(z if z > mpf(10) ** -40 else mpf(10) ** -40))


print("// Written by fit.py: do not edit. Polynomials have their constant term first.")
print("#pragma once\n")
ln2 = log(2)
parts("kLn2_", ln2, [32])
parts("kLn10_", log(10), [53])
parts("kLog10Of2_", log(2) / log(10), [32])
parts("kInvLn2_", 1 / ln2, [53])
parts("kInvLn10_", 1 / log(10), [53])
parts("kPiOver2_", pi / 2, [33, 33, 53])
parts("kPi_", pi, [53])
print(f"constexpr double kTwoOverPi = {hexfloat(2 / pi)};")
print(f"constexpr double kLog2Of10 = {hexfloat(log(10) / ln2)};")
print(f"constexpr double kTwoOverSqrtPi = {hexfloat(2 / sqrt(pi))};")
h = mpf("0.3466")
tiny = mpf(10) ** -30
# (e^r - 1 - r) / r^2
second = lambda r: (exp(r) - 1 - r) / r**2 if abs(r) > tiny else mpf(1) / 2
fit("kExp", second, -h, h, 11)
fit("kExpSingle", second, -h, h, 7)
# log((1+s)/(1-s)) = 2s + 2s^3/3 + s^5 * q(s^2); s in +-(sqrt2-1)/(sqrt2+1)
smax = (sqrt(2) - 1) / (sqrt(2) + 1) * mpf("1.001")
cubed = even(lambda s: (log((1 + s) / (1 - s)) - 2 * s) / s**3)
fit("kLog3", cubed, 0, smax**2, 8)
fit("kLogSingle", cubed, 0, smax**2, 5)
fifth = even(lambda s: (log((1 + s) / (1 - s)) - 2 * s - 2 * s**3 / 3) / s**5)
fit("kLog5", fifth, 0, smax**2, 7)
q = (pi / 4 * mpf("1.0001")) ** 2
fit("kSin", even(lambda x: (sin(x) - x) / x**3), 0, q, 7)
fit("kCos", even(lambda x: (cos(x) - 1 + x**2 / 2) / x**4), 0, q, 7)
fit("kSinSingle", even(lambda x: (sin(x) - x) / x**3), 0, q, 4)
fit("kCosSingle", even(lambda x: (cos(x) - 1 + x**2 / 2) / x**4), 0, q, 4)
fit("kAtan", even(lambda x: (atan(x) - x) / x**3), 0, (sqrt(2) - 1) ** 2 * mpf("1.001"), 11)
fit("kAsin", even(lambda x: (asin(x) - x) / x**3), 0, mpf("0.2501"), 13)
fit("kErf", even(lambda x: erf(x) / x - 1), 0, mpf("0.5625"), 11)
# erfc(x) = exp(-x^2) * g(t) / (1 + 2x), t = (x - 2.5) / (x + 2.5), x >= 0.5: g stays near 1
scaled = lambda x: erfc(x) * exp(x * x) * (1 + 2 * x)
fit("kErfcx", lambda t: scaled(mpf("2.5") * (1 + t) / (1 - t)), (mpf("0.5") - mpf("2.5")) / 3, mpf("0.84"), 25)
fit("kGamma", lambda x: gamma(mpf(3) / 2 + x) , -mpf("0.5"), mpf("0.5"), 24)
# Stirling: log gamma(x) - (x - 1/2) log x + x - log(2 pi)/2 = z * s(z^2), z = 1/x, x >= 10
stirling = lambda w: (loggamma(1 / sqrt(w)) - (1 / sqrt(w) - mpf(1) / 2) * log(1 / sqrt(w)) + 1 / sqrt(w) - log(2 * pi) / 2) / sqrt(w)
fit("kStirling", lambda w: stirling(w if w > mpf(10) ** -12 else mpf(10) ** -12), 0, mpf("0.01"), 8)
print(f"constexpr double kHalfLog2Pi = {hexfloat(log(2 * pi) / 2)};")
parts("kTwoThirds_", mpf(2) / 3, [53])
fit("kLgamma", lambda x: (loggamma(1 + x) / x) if abs(x) > tiny else -mp.euler, -mpf("0.5"), mpf("0.5"), 34)
mp.prec = 1400
print("// 2/pi, 64 bits a word after the binary point")
print("constexpr unsigned long long kTwoOverPiWords[] = {\n    0,  // the reduction may start before the point")
rest = 2 / pi
for _ in range(20):
    rest *= mpf(2) ** 64
    word = int(floor(rest))
    rest -= word
    print(f"    {word:#018x},")
print("};")
