# Writes incomplete.txt: incomplete functions of tiny, huge and very different parameters, with mpmath 1.4.1 at 400 bits or more.
# P, Q: regularized incomplete gamma functions; B: regularized incomplete beta function.
import random
import mpmath as mp

mp.mp.prec = 400
random.seed(7)
R = random.random
file = open("incomplete.txt", "w")


def fraction(a, b, x):
    """I_x(a, b) below the mean, by the even part of its continued fraction."""
    y = 1 - x
    rate = a * y - b * x
    bits = 130 if min(a, b) > 1e-10 else mp.mp.prec - 30
    d = f = (a + 1) / (rate + 1)
    c, n = mp.inf, 0
    while True:
        n += 1
        if n == 1:
            num = (a + b) * (b - 1) * x * x / (a + 1) ** 2
        else:
            num = (a + n - 1) * (a + b + n - 1) * n * (b - n) * x * x / (a + 2 * n - 1) ** 2
        den = n + n * (b - n) * x / (a + 2 * n - 1) + (a + n) / (a + 2 * n + 1) * (rate + 1 + n * (1 + y))
        d = 1 / (num * d + den)
        c = den + (num / c if c != mp.inf else 0)
        f *= c * d
        if abs(c * d - 1) < mp.mpf(2) ** -bits:
            break
    return f * mp.exp(a * mp.log(x) + b * mp.log(y) + mp.loggamma(a + b) - mp.loggamma(a + 1) - mp.loggamma(b))


def size(v):
    return int(max(0, mp.log(v, 2)))


def beta(a, b, x):
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    with mp.workprec(400 + 2 * size(max(a, b)) + 2 * size(1 / min(a, b, x, 1 - x))):
        return 1 - fraction(b, a, 1 - x) if x > (a + 1) / (a + b + 2) else fraction(a, b, x)


def gamma(a, x, upper):
    a, x = mp.mpf(a), mp.mpf(x)
    with mp.workprec(400 + 4 * size(1 / min(a, x, 1))):
        term = total = mp.mpf(1)
        k = 0
        while abs(term) > mp.mpf(2) ** -(mp.mp.prec + 10) * abs(total):
            k += 1
            term *= x / (a + k)
            total += term
        p = total * mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
        return 1 - p if upper else p


def write(name, *numbers):
    file.write(name + " " + " ".join(repr(float(v)) for v in numbers) + "\n")


def write_beta(a, b, x):
    if 1e-307 < x < 1:
        write("B", a, b, x, beta(a, b, x))


# One or two tiny parameters.
for _ in range(40):
    b = 10 ** (-R() * 300 - 5) if R() < 0.6 else 10 ** (-R() * 14 - 5)
    a = random.choice([10 ** (R() * 6 - 3), 10 ** (-R() * 300), 1.0, R() * 5, 10 ** (R() * 13)])
    m = (a + 1) / (a + b + 2)
    write_beta(a, b, m + (1 - m) * R())
    write_beta(a, b, m * R())
for _ in range(10):
    write_beta(10 ** (-R() * 300), 10 ** (-R() * 300), R())
# One huge parameter.
for _ in range(40):
    b = 10 ** (R() * 302 + 5)
    a = random.choice([10 ** (R() * 5), R() * 3, 10 ** (-R() * 20)])
    write_beta(a, b, max(a, 1e-3) / b * (1 + (R() * 2 - 1) * min(0.9, 5 / max(a, 1) ** 0.5)) if R() < 0.7 else a / b * R() * 3)
for _ in range(20):
    a = 10 ** (R() * 13 + 3)
    b = random.choice([10 ** (R() * 4), R() * 3])
    write_beta(a, b, float(1 - b / a * (R() * 2)))
# Both large.
for _ in range(40):
    a, b = 10 ** (R() * 2 + 6.7), 10 ** (R() * 3 + 6.7)
    if R() < 0.3:
        b = a * (0.5 + R())
    n = a + b
    write_beta(a, b, a / n + (R() * 2 - 1) * 6 * (a * b / n ** 3) ** 0.5 * random.choice([1, 1, 5]))
# Tiny orders.
for i in range(70):
    a = 10 ** (-R() * 310 - 2) if i < 40 else 10 ** (-R() * 18 - 3)
    x = random.choice([R(), R() * 3, 10 ** (-R() * 300), R() * 30])
    for name in "PQ":
        write(name, a, x, gamma(a, x, name == "Q"))
