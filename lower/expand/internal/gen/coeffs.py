"""Writes coeffs.go: the coefficients of every polynomial of the expansions.

Version 1. Run in this directory: python3 coeffs.py [name ...]. With names only
those are computed; the others are kept as they stand in coeffs.go.

Each entry is (name, comment, f, lo, hi, number of coefficients, bits, weight):
f(x) ~ sum(c[k] x**k) on [lo, hi], and weight(x)*error is what counts, in units of
the result. A name ending in 32 is for f32 arithmetic, 64 for f64, S for f64
arithmetic whose result is rounded to f32.
"""
import re
import sys
import multiprocessing
from remez import fit, fit_together, mp, mpf

one = lambda x: mpf(1)


def near(f, at, series):
    """f, or the first terms of its series where f would divide 0 by 0."""
    def g(x):
        d = x - at
        if abs(d) < mpf("1e-12"):
            r = mpf(0)
            for k, c in enumerate(series):
                r += c * d**k
            return r
        return f(x)
    return g


def taylor(f, at, n=4):
    return mp.taylor(f, at, n)


half = mpf(1) / 2
h = mp.log(2) / 2 * mpf("1.001")  # exp's reduced argument
rt = mp.sqrt(mpf(2))
smax = ((rt - 1) / (rt + 1)) ** 2 * mpf("1.001")
pio4 = (mp.pi / 4) ** 2 * mpf("1.001")

exp_q = near(lambda r: (mp.expm1(r) - r) / r**2, 0, [mpf(1) / mp.factorial(k + 2) for k in range(5)])


def odd(f, series):
    """S with f(x) = x + x^3 S(x^2)."""
    return near(lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 0, series)


sin_s = odd(mp.sin, [-mpf(1) / 6, mpf(1) / 120, -mpf(1) / 5040])
cos_c = near(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 0, [mpf(1) / 24, -mpf(1) / 720, mpf(1) / 40320])
log_l = near(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, 0, [mpf(2) / 3, mpf(2) / 5, mpf(2) / 7])
log_m = near(lambda z: ((2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z - mpf(2) / 3 - mpf(2) / 5 * z) / z**2, 0,
             [mpf(2) / 7, mpf(2) / 9, mpf(2) / 11])
sinh_h = odd(mp.sinh, [mpf(1) / 6, mpf(1) / 120, mpf(1) / 5040])
asin_a = odd(mp.asin, [mpf(1) / 6, mpf(3) / 40, mpf(15) / 336])
atan_b = odd(mp.atan, [-mpf(1) / 3, mpf(1) / 5, -mpf(1) / 7])
erf_e = near(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 0,
             [2 / mp.sqrt(mp.pi) - 1, -2 / (3 * mp.sqrt(mp.pi)), 1 / (5 * mp.sqrt(mp.pi))])


def rel_odd(f):
    """The weight of S in x + x^3 S(x^2), relative to f."""
    return lambda z: z * mp.sqrt(z) / f(mp.sqrt(z)) if z > 0 else mpf(0)


def erfc_t(k):
    """e^(x^2) erfc(x) (1 + 2x) as a function of t = (x - k)/(x + k)."""
    def f(t):
        x = k * (1 + t) / (1 - t)
        if x > 100:
            z = 1 / (2 * x * x)
            s = 1 - z + 3 * z**2 - 15 * z**3 + 105 * z**4 - 945 * z**5
            return s / (x * mp.sqrt(mp.pi)) * (1 + 2 * x)
        return mp.exp(x * x) * mp.erfc(x) * (1 + 2 * x)
    return f


def erfc_rel(k):
    f = erfc_t(k)
    return lambda t: 1 / f(t)


def tt(x, k):
    return (mpf(x) - k) / (mpf(x) + k)


def erfinv_of_w(w):
    """erfinv(x)/x with w = -log(1 - x^2)."""
    x2 = -mp.expm1(-w)
    x = mp.sqrt(x2)
    if x < mpf("1e-10"):
        return mp.sqrt(mp.pi) / 2 * (1 + mp.pi * x2 / 12)
    # Solve erfc(y) = 1 - x with 1 - x = e^-w/(1 + x), by Newton.
    target = mp.exp(-w) / (1 + x)
    if w < 1:
        y = mp.sqrt(mp.pi) / 2 * x * (1 + mp.pi * x2 / 12)
    else:
        y = mp.sqrt(max(w - mp.log(mp.sqrt(mp.pi * w) + 1), mpf("0.3")))
    for _ in range(60):
        e = (mp.erfc(y) - target) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        e = e / (1 - e * y) if abs(e * y) < half else e
        y += e
        if abs(e) < mpf("1e-45") * y:
            break
    return y / x


lg_q = near(lambda f: mp.loggamma(2 + f) / f, 0, [1 - mp.euler, (mp.zeta(2) - 1) / 2, -(mp.zeta(3) - 1) / 3, (mp.zeta(4) - 1) / 4])
stirling_w = lambda z: (mp.loggamma(1 / mp.sqrt(z)) - ((1 / mp.sqrt(z) - half) * mp.log(1 / mp.sqrt(z)) - 1 / mp.sqrt(z)
                        + mp.log(2 * mp.pi) / 2)) / mp.sqrt(z) if z > mpf("1e-7") else mpf(1) / 12 - z / 360 + z**2 / 1260 - z**3 / 1680
psi0 = mp.findroot(mp.digamma, mpf("1.4616321449683623"))
psi_d = near(lambda u: mp.digamma(u + psi0) / u, 0, [c for c in mp.taylor(mp.digamma, psi0, 5)[1:]])
psi_b = lambda z: (mp.log(1 / mp.sqrt(z)) - mp.sqrt(z) / 2 - mp.digamma(1 / mp.sqrt(z))) / z if z > mpf("1e-7") \
    else mpf(1) / 12 - z / 120 + z**2 / 252 - z**3 / 240


def bessel_scaled(order, x):
    """e^(-x) I_order(x) for x >= 0."""
    return mp.besseli(order, x) * mp.exp(-x)


def bessel_near(order, centre):
    """e^(-x) I0(x) or e^(-x) I1(x)/x as a function of x - centre."""
    def f(d):
        x = d + centre
        if order == 0:
            return bessel_scaled(0, x)
        return bessel_scaled(1, x) / x if x > mpf("1e-12") else (1 - x) / 2
    return f


def bessel_far(order, least):
    """e^(-x) sqrt(x) I_order(x), x >= least, as a function of u = 2 least/x - 1."""
    def f(u):
        w = (1 + u) / (2 * least)
        if w > mpf("0.005"):
            return bessel_scaled(order, 1 / w) / mp.sqrt(w)
        term = s = mpf(1)
        for k in range(1, 50):
            term *= ((2 * k - 1) ** 2 - 4 * order) * w / (8 * k)
            s += term
        return s / mp.sqrt(2 * mp.pi)
    return f


def entries():
    e = []
    add = lambda *a: e.append(a)
    we = lambda r: r * r / mp.exp(r)
    add("exp32x", "e^r = 1 + r + r²q(r), |r| ≤ ½ln 2", exp_q, -h, h, 6, 24, we)
    add("exp64", "e^r = 1 + r + r²q(r), |r| ≤ ½ln 2", exp_q, -h, h, 11, 53, we)
    add("expS", "e^r = 1 + r + r²q(r), |r| ≤ ½ln 2", exp_q, -h, h, 7, 53, we)
    wl = lambda z: z * mp.sqrt(z) / (2 * mp.atanh(mp.sqrt(z))) if z > 0 else mpf(0)
    add("log32", "log((1+s)/(1−s)) = 2s + s³L(s²), 1+f within [√½, √2], s = f/(2+f)", log_l, 0, smax, 3, 24, wl)
    add("log64", "log((1+s)/(1−s)) = 2s + s³L(s²)", log_l, 0, smax, 8, 53, wl)
    add("logS", "log((1+s)/(1−s)) = 2s + s³L(s²)", log_l, 0, smax, 5, 53, wl)
    add("logM64", "log((1+s)/(1−s)) = 2s + ⅔s³ + ⅖s⁵ + s⁷M(s²)", log_m, 0, smax, 8, 53, lambda z: z * z * wl(z))
    add("sin32", "sin r = r + r³S(r²), |r| ≤ π/4", sin_s, 0, pio4, 4, 24, rel_odd(mp.sin))
    add("sin64", "sin r = r + r³S(r²), |r| ≤ π/4", sin_s, 0, pio4, 7, 53, rel_odd(mp.sin))
    add("sinS", "sin r = r + r³S(r²), |r| ≤ π/4", sin_s, 0, pio4, 5, 53, rel_odd(mp.sin))
    wc = lambda z: z**2 / mp.cos(mp.sqrt(z))
    add("cos32", "cos r = 1 − ½r² + r⁴C(r²), |r| ≤ π/4", cos_c, 0, pio4, 3, 24, wc)
    add("cos64", "cos r = 1 − ½r² + r⁴C(r²), |r| ≤ π/4", cos_c, 0, pio4, 7, 53, wc)
    add("cosS", "cos r = 1 − ½r² + r⁴C(r²), |r| ≤ π/4", cos_c, 0, pio4, 5, 53, wc)
    add("sinh64", "sinh x = x + x³H(x²), |x| ≤ 1", sinh_h, 0, mpf("1.0001"), 9, 53, rel_odd(mp.sinh))
    add("sinhS", "sinh x = x + x³H(x²), |x| ≤ 1", sinh_h, 0, mpf("1.0001"), 6, 53, rel_odd(mp.sinh))
    add("asin64", "asin x = x + x³A(x²), |x| ≤ ½", asin_a, 0, mpf("0.25001"), 13, 53, rel_odd(mp.asin))
    add("asin32", "asin x = x + x³A(x²), |x| ≤ ½", asin_a, 0, mpf("0.25001"), 6, 24, rel_odd(mp.asin))
    t8 = (mp.sqrt(mpf(2)) - 1) ** 2 * mpf("1.001")
    add("atan64", "atan x = x + x³B(x²), |x| ≤ tan π/8", atan_b, 0, t8, 13, 53, rel_odd(mp.atan))
    add("atan32", "atan x = x + x³B(x²), |x| ≤ tan π/8", atan_b, 0, t8, 5, 24, rel_odd(mp.atan))
    add("atanS", "atan x = x + x³B(x²), |x| ≤ tan π/8", atan_b, 0, t8, 8, 53, rel_odd(mp.atan))
    er = lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)) if z else mp.sqrt(mp.pi) / 2
    add("erf64", "erf x = x + xE(x²), |x| ≤ 1", erf_e, 0, mpf("1.0001"), 14, 53, er)
    add("erf32", "erf x = x + xE(x²), |x| ≤ ½", erf_e, 0, mpf("0.2501"), 5, 24, er)
    k = mpf(4)
    add("erfc64", "e^x² erfc x (1 + 2x) = P((x−4)/(x+4)), ½ ≤ x ≤ 28", erfc_t(k), tt(half, k), tt(28, k), 25, 53, erfc_rel(k))
    add("sinh32", "sinh x = x + x³H(x²), |x| ≤ 1", sinh_h, 0, mpf("1.0001"), 4, 24, rel_odd(mp.sinh))
    ei = lambda shift: (lambda u: 1 / erfinv_of_w(u + shift))
    add("erfinvA64", "erfinv x = x·P(w − 3.125), w = −log(1−x²) < 6.25", lambda u: erfinv_of_w(u + mpf("3.125")),
        mpf("-3.125"), mpf("3.125"), 25, 53, ei(mpf("3.125")))
    es = lambda c: (lambda u: erfinv_of_w((u + c) ** 2))
    er1 = lambda c: (lambda u: 1 / erfinv_of_w((u + c) ** 2))
    add("erfinvB64", "erfinv x = x·P(√w − 3.25), 6.25 ≤ w < 16", es(mpf("3.25")), mpf("-0.75"), mpf("0.75"), 21, 53, er1(mpf("3.25")))
    add("erfinvC64", "erfinv x = x·P(√w − 5), 16 ≤ w < 37", es(mpf(5)), mpf("-1"), mpf("1.08"), 21, 53, er1(mpf(5)))
    lw = lambda f: abs(f / mp.loggamma(2 + f)) if f != 0 else 1 / (1 - mp.euler)
    add("lgamma64", "lgamma(2 + f) = f·Q(f), |f| ≤ ½", lg_q, -half, half, 19, 53, lw)
    add("lgammaS", "lgamma(2 + f) = f·Q(f), |f| ≤ ½", lg_q, -half, half, 13, 53, lw)
    sw = lambda z: 12 * one(z)
    add("stirling64", "lgamma x = (x−½)log x − x + ½log 2π + W(1/x²)/x, x ≥ 8", stirling_w, 0, mpf(1) / 63, 7, 53, lambda z: mp.sqrt(z) / 8)
    add("stirlingS", "lgamma x = (x−½)log x − x + ½log 2π + W(1/x²)/x, x ≥ 8", stirling_w, 0, mpf(1) / 63, 4, 53, lambda z: mp.sqrt(z) / 8)
    dw = lambda u: 1 / psi_d(u)
    add("digamma64", "digamma x = (x − x₀)·D(x − x₀), 1 ≤ x ≤ 2, x₀ its zero", psi_d, 1 - psi0, 2 - psi0, 25, 53, dw)
    add("digammaS", "digamma x = (x − x₀)·D(x − x₀), 1 ≤ x ≤ 2, x₀ its zero", psi_d, 1 - psi0, 2 - psi0, 16, 53, dw)
    add("psi64", "digamma x = log x − 1/(2x) − B(1/x²)/x², x ≥ 8", psi_b, 0, mpf(1) / 63, 8, 53, lambda z: z / 2)
    add("psiS", "digamma x = log x − 1/(2x) − B(1/x²)/x², x ≥ 8", psi_b, 0, mpf(1) / 63, 5, 53, lambda z: z / 2)
    cb = lambda x: mp.cbrt(x)
    add("cbrt32", "∛m, first approximation, ¼√2 ≤ m ≤ 2√2", cb, rt / 4, 2 * rt, 5, 24, lambda x: 1 / mp.cbrt(x))
    add("cbrt64", "∛m, first approximation, ¼√2 ≤ m ≤ 2√2", cb, rt / 4, 2 * rt, 6, 53, lambda x: 1 / mp.cbrt(x))
    for k in 0, 1:
        of = "e^−x I%d(x)" % k
        for bits, prec, c, near, far in (32, 24, mpf(2), 14, 11), (64, 53, mpf(4), 30, 26):
            f, g = bessel_near(k, c), bessel_far(k, 2 * c)
            add("bessel%dNear%d" % (k, bits), "%s = P(x − %d)%s, 0 ≤ x ≤ %d" % (of, c, ["", "·x"][k], 2 * c), f, -c, c, near, prec, lambda d, f=f: 1 / f(d))
            add("bessel%dFar%d" % (k, bits), "%s = P(%d/x − 1)/√x, x ≥ %d" % (of, 4 * c, 2 * c), g, -1, 1, far, prec, lambda u, g=g: 1 / g(u))
    return e


def run(entry):
    name, comment, f, lo, hi, n, bits, weight = entry
    if name.startswith("bessel"):
        exact = (lo, f(lo)) if "Near" in name else None
        c, err = fit_together(f, lo, hi, n, bits, weight, exact)
    else:
        c, err = fit(f, lo, hi, list(range(n)), bits, weight)
    return name, comment, [float(x) for x in c], float(mp.log(err, 2)) if err else -999


def go(name, comment, c, err):
    s = "\t// %s; the error is below 2^%.1f.\n\t%s = []float64{\n" % (comment, err + 0.05, "poly" + name[0].upper() + name[1:])
    for x in c:
        s += "\t\t%s,\n" % x.hex()
    return s + "\t}\n"


def work(name):
    for e in entries():
        if e[0] == name:
            return go(*run(e))


if __name__ == "__main__":
    path = "../../coeffs.go"
    old = {}
    try:
        for m in re.finditer(r"(\t// [^\n]*\n\tpoly(\w+) = \[\]float64\{\n(?:\t\t[^\n]*\n)*\t\}\n)", open(path).read()):
            old[m.group(2)[0].lower() + m.group(2)[1:]] = m.group(1)
    except FileNotFoundError:
        pass
    names = [e[0] for e in entries()]
    todo = [n for n in names if n in sys.argv[1:] or len(sys.argv) == 1 or n not in old]
    for n in todo:
        old[n] = work(n)
        print(old[n].split("\n")[0].strip(), n, flush=True)
        text = "// Code generated by internal/gen/coeffs.py, version 1. DO NOT EDIT.\n\npackage expand\n\n"
        text += "// Coefficients of minimax polynomials, the constant one first.\nvar (\n"
        text += "\n".join(old[k] for k in names if k in old) + ")\n"
        open(path, "w").write(text)
