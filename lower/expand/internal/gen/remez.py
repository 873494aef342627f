"""Minimax polynomials whose coefficients are floats.

Version 1. Needs Python 3 with mpmath 1.4 (gmpy2 makes it fast).

fit(f, lo, hi, powers, ...) finds the polynomial sum(c[k] * x**powers[k]) that
approximates f on [lo, hi] with the least greatest weighted error, by Remez
exchange at 50 digits. Coefficients are then rounded one after another, from the
most significant on, each to its own format, and the others are fitted anew, so
that the rounding of one is made good by the rest.
"""
from mpmath import mp, mpf, matrix, lu_solve, chebyt

mp.dps = 50


def round_to(x, bits):
    """x rounded to nearest with the given number of mantissa bits."""
    if x == 0:
        return mpf(0)
    x = mpf(x)
    man, exp = mp.frexp(x)
    return mp.ldexp(mp.nint(mp.ldexp(man, bits)), exp - bits)


def exchange(f, lo, hi, powers, weight, rounds=40, grid=240):
    """Remez: coefficients and the weighted minimax error."""
    n = len(powers)
    if n == 0:
        return [], max(abs(f(x) * weight(x)) for x in nodes(lo, hi, grid))
    # Chebyshev extrema as the first reference.
    ref = [lo + (hi - lo) * (1 - mp.cos(mp.pi * i / n)) / 2 for i in range(n + 1)]
    pts = nodes(lo, hi, grid)
    fw = [(x, f(x), weight(x)) for x in pts]
    coef, last = None, None
    pre = {x: (fx, w) for x, fx, w in fw}
    for _ in range(rounds):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, x in enumerate(ref):
            fx, w = pre[x] if x in pre else (f(x), weight(x))
            for k, p in enumerate(powers):
                a[i, k] = w * x**p
            a[i, n] = (-1) ** i
            b[i] = w * fx
        s = lu_solve(a, b)
        coef, e = [s[k] for k in range(n)], abs(s[n])
        err = [(x, w * (fx - horner(coef, powers, x))) for x, fx, w in fw]
        ext = extrema(err)
        ext = alternate(ext, n + 1)
        if len(ext) < n + 1:
            break
        ref = [x for x, _ in ext]
        worst = max(abs(v) for _, v in ext)
        if last is not None and worst <= e * (1 + mpf("1e-6")):
            last = worst
            break
        last = worst
    return coef, last


def nodes(lo, hi, n):
    return [lo + (hi - lo) * (1 - mp.cos(mp.pi * i / n)) / 2 for i in range(n + 1)]


def horner(coef, powers, x):
    r = mpf(0)
    for c, p in zip(coef, powers):
        r += c * x**p
    return r


def extrema(err):
    """Local extrema of the signed error, ends included."""
    out = []
    for i, (x, v) in enumerate(err):
        l = err[i - 1][1] if i > 0 else None
        r = err[i + 1][1] if i + 1 < len(err) else None
        if (l is None or abs(v) >= abs(l) or v * l < 0) and (r is None or abs(v) >= abs(r) or v * r < 0):
            out.append((x, v))
    return out


def alternate(ext, n):
    """n extrema of alternating sign, the largest."""
    runs = []
    for x, v in ext:
        if v == 0:
            continue
        if runs and runs[-1][1] * v > 0:
            if abs(v) > abs(runs[-1][1]):
                runs[-1] = (x, v)
        else:
            runs.append((x, v))
    while len(runs) > n:
        # Drop the smaller of the ends, or the smallest neighbouring pair.
        if len(runs) == n + 1:
            runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
            continue
        i = min(range(len(runs) - 1), key=lambda i: max(abs(runs[i][1]), abs(runs[i + 1][1])))
        if i == 0:
            runs.pop(0)
        elif i == len(runs) - 2:
            runs.pop()
        else:
            del runs[i:i + 2]
    return runs


def fit(f, lo, hi, powers, bits, weight=None, fixed=None, grid=240):
    """Coefficients rounded to bits[k] (or one number for all), and the error.

    fixed maps powers to coefficients that are given.
    """
    lo, hi = mpf(lo), mpf(hi)
    weight = weight or (lambda x: mpf(1))
    if isinstance(bits, int):
        bits = [bits] * len(powers)
    done = dict(fixed or {})
    todo = [(p, b) for p, b in zip(powers, bits) if p not in done]
    memo = {}

    def cached(x):
        if x not in memo:
            memo[x] = f(x)
        return memo[x]

    # After the first few, rounding a coefficient moves the error too little to be
    # worth another fit.
    again = len(todo)
    while todo:
        rest = [p for p, _ in todo]
        g = lambda x: cached(x) - sum(c * x**p for p, c in done.items())
        coef, _ = exchange(g, lo, hi, rest, weight, grid=grid)
        step = 1 if again - len(todo) < 4 else len(todo)
        for c in coef[:step]:
            p, b = todo.pop(0)
            done[p] = round_to(c, b)
    g = lambda x: weight(x) * (f(x) - sum(c * x**p for p, c in done.items()))
    e = max(abs(g(x)) for x in nodes(lo, hi, grid + 7))
    return [done[p] for p in powers], e


def fit_together(f, lo, hi, n, bits, weight, exact=None):
    """Coefficients fitted once and rounded to bits, and the error.

    For polynomials about a point inside of [lo, hi], where fitting the others anew to the rounded
    constant one has no solution. Of the roundings that move the first six coefficients by a last place or less
    the one of least error is taken; exact = (x, y) requires that Horner's rule with fma is y at x.
    """
    lo, hi = mpf(lo), mpf(hi)
    coef, _ = exchange(f, lo, hi, list(range(n)), weight)
    c = [round_to(v, bits) for v in coef]
    pts = nodes(lo, hi, 300)
    err = [weight(x) * (horner(c, range(n), x) - f(x)) for x in pts]
    last = [mp.ldexp(1, mp.frexp(v)[1] - bits) for v in c[:6]]
    unit = mpf(2) ** -bits
    base = [float(e / unit) for e in err]
    moves = [[float(weight(x) * last[k] * x**k / unit) for x in pts] for k in range(6)]
    found = []
    for code in range(3**6):
        step = [code // 3**k % 3 - 1 for k in range(6)]
        e = list(base)
        for k, s in enumerate(step):
            if s:
                e = [a + s * b for a, b in zip(e, moves[k])]
        found.append((max(abs(v) for v in e), step))
    for e, step in sorted(found):
        d = [v + step[k] * last[k] if k < 6 else v for k, v in enumerate(c)]
        r = d[-1]
        for v in d[-2::-1]:
            if exact:
                r = round_to(r * exact[0] + v, bits)
        if not exact or r == exact[1]:
            return d, e * unit
    raise ValueError("no rounding is exact at %s" % exact[0])
