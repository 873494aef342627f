# Writes special.txt: functions, operands and true values, with mpmath 1.4.1 at 200 bits.
# P, Q: regularized incomplete gamma functions; G: dP/da; B: regularized incomplete beta function;
# Z: Hurwitz's zeta function by Euler and Maclaurin's sum; I0, I1: scaled Bessel functions.
import math
import random
import mpmath as mp

mp.mp.prec = 200
random.seed(5)
out = open("special.txt", "w")


def spread(lo, hi):
    return 10 ** random.uniform(lo, hi)


def write(name, *numbers):
    out.write(name + " " + " ".join(repr(float(v)) for v in numbers) + "\n")


def zeta(s, q):
    s, q, n = mp.mpf(s), mp.mpf(q), 60
    y = q + n
    total = sum((q + k) ** -s for k in range(n)) + y ** (1 - s) / (s - 1) + y ** -s / 2
    for j in range(1, 40):
        total += mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.rf(s, 2 * j - 1) * y ** (1 - s - 2 * j)
    return total


for i in range(150):
    a = spread(-3, 3.9)
    x = a * math.exp(random.gauss(0, 1) / max(1, a) ** 0.5 * 2)
    if i % 4 == 0:
        x = spread(-5, 3)
    p, q = mp.gammainc(a, 0, x, regularized=True), mp.gammainc(a, x, mp.inf, regularized=True)
    if p > 1e-300:
        write("P", a, x, p)
    if q > 1e-300:
        write("Q", a, x, q)
for i in range(40):
    a = spread(-2, 2)
    x = a * math.exp(random.gauss(0, 1) / max(1, a) ** 0.5)
    write("G", a, x, mp.diff(lambda t: mp.gammainc(t, 0, x, regularized=True), a))
for i in range(100):
    a, b = spread(-2, 2.3), spread(-2, 2.3)
    m = a / (a + b)
    x = min(max(m + random.gauss(0, 1) * (m * (1 - m) / (a + b + 1)) ** 0.5, 1e-6), 1 - 1e-6)
    v = mp.betainc(a, b, 0, x, regularized=True)
    if v > 1e-300:
        write("B", a, b, x, v)
for i in range(100):
    s, q = 1 + spread(-3, 1.5), spread(-3, 3)
    write("Z", s, q, zeta(s, q))
for i in range(100):
    x = spread(-6, 4) * random.choice([-1, 1])
    write("I0", x, mp.besseli(0, x) * mp.exp(-abs(x)))
    write("I1", x, mp.besseli(1, x) * mp.exp(-abs(x)))
