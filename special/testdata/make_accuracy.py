# Writes accuracy.jsonl.gz: special functions at random arguments of f32 and of f64, with the exact values, made with mpmath at 60 digits.
# Values for f64 are sums of two f64. Made with Python 3.11, mpmath 1.4.1, NumPy 2.4.6: python make_accuracy.py
import gzip, json, math
import mpmath as mp, numpy as np
mp.mp.dps = 60
rng = np.random.default_rng(23)
N = 150

def uniform(lo, hi): return lambda: rng.uniform(lo, hi)
def logs(lo, hi): return lambda: math.exp(rng.uniform(math.log(lo), math.log(hi)))
def either(*fs): return lambda: fs[rng.integers(len(fs))]()
def rounded(x, dtype): return float(np.float32(x)) if dtype == "float32" else float(x)

out = gzip.GzipFile("accuracy.jsonl.gz", "wb", mtime=0)
def emit(name, draw, exact):
    """draw(f32) returns a tuple of arguments."""
    for dtype in ("float32", "float64"):
        rows, want = [], []
        while len(rows) < N:
            r = tuple(rounded(v, dtype) for v in draw(dtype == "float32"))
            y = exact(*map(mp.mpf, r))
            small = 1e-36 if dtype == "float32" else 1e-300
            if y == 0 or not small < abs(y) < 1 / small: continue
            hi = float(y)
            rows.append(r)
            want.append([repr(hi), "%.6g" % float(y - mp.mpf(hi))] if dtype == "float64" else [repr(hi)])
        out.write((json.dumps({"name": name, "dtype": dtype, "args": [[repr(r[k]) for r in rows] for k in range(len(rows[0]))], "want": want}) + "\n").encode())

def each(*draws): return lambda f32: tuple(d() for d in draws)
positive, unit = logs(1e-6, 1e6), either(uniform(0, 1), logs(1e-30, 0.5), lambda: 1 - math.exp(rng.uniform(-15, -1)))

emit("Polygamma", each(lambda: int(rng.integers(1, 4)), either(uniform(0.1, 30), logs(1e-4, 1e6))), lambda n, x: mp.polygamma(int(n), x))
def zeta(s, q):
    with mp.workdps(200): return mp.zeta(s, q)  # 60 digits lose all those of q^-s
emit("Zeta", each(either(uniform(1.01, 40), logs(1.0001, 3)), logs(1e-2, 1e4)), zeta)
def incomplete(f32):
    a = logs(1e-3, 500)()
    return a, a * math.exp(rng.normal() * min(3, 4 / math.sqrt(a)))
emit("GammaInc", incomplete, lambda a, x: mp.gammainc(a, 0, x, regularized=True))
emit("GammaIncC", incomplete, lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True))
def betas(f32):
    a, b = logs(1e-2, 300)(), logs(1e-2, 300)()
    return a, b, rng.beta(a, b) * 0.98 + 0.01 if rng.random() < 0.7 else rng.uniform(0, 1)
emit("BetaInc", betas, lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True))
shape = either(logs(1e-3, 1e3), uniform(0.5, 20))
emit("BetaLn", each(shape, shape), lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b))
emit("Beta", each(logs(1e-3, 40), logs(1e-3, 40)), mp.beta)
emit("MultiGammaln3", each(logs(1.1, 1e4)), lambda a: mp.mpf(3) / 2 * mp.log(mp.pi) + sum(mp.loggamma(a - mp.mpf(k) / 2) for k in range(3)))
real = either(uniform(-60, 60), uniform(-4, 4), logs(1e-8, 1))
emit("I0", each(real), lambda x: mp.besseli(0, x))
emit("I1", each(real), lambda x: mp.besseli(1, x))
emit("Xlogy", each(uniform(-9, 9), either(positive, uniform(0.5, 2))), lambda x, y: x * mp.log(y))
emit("Xlog1py", each(uniform(-9, 9), either(logs(1e-12, 1e6), uniform(-0.99, 2))), lambda x, y: x * mp.log1p(y))
emit("Entr", each(either(positive, uniform(0.5, 2))), lambda x: -x * mp.log(x))
emit("RelEntr", each(positive, positive), lambda x, y: x * mp.log(x / y))
emit("KlDiv", each(positive, positive), lambda x, y: x * mp.log(x / y) - x + y)
emit("Logit", each(unit), lambda x: mp.log(x / (1 - x)))
emit("Expit", each(uniform(-60, 60)), lambda x: 1 / (1 + mp.exp(-x)))
def ncdf(x): return mp.erfc(-x / mp.sqrt(2)) / 2
emit("NdTr", each(either(uniform(-12, 6), uniform(-2, 2))), ncdf)
def quantile(p):
    x = mp.mpf(-math.sqrt(max(0, -2 * math.log(float(p))))) if p < 0.5 else mp.mpf(math.sqrt(-2 * math.log(float(1 - p))))
    if abs(p - 0.5) < 0.4: x = (p - 0.5) * mp.sqrt(2 * mp.pi)
    for _ in range(60):  # Newton's steps on the logarithm of the smaller tail
        q, s = (p, x) if p < 0.5 else (1 - p, -x)
        c = ncdf(s)
        step = (mp.log(c) - mp.log(q)) * c / mp.npdf(s)
        s -= step
        x = s if p < 0.5 else -s
        if abs(step) < mp.mpf(10) ** -45: break
    assert abs(ncdf(x) / p - 1) < mp.mpf(10) ** -40, p
    return x
emit("NdTrI", each(unit), quantile)
emit("LogNdTr", each(either(uniform(-40, 8), uniform(-300, 0))), lambda x: mp.log(ncdf(x)) if x < 5 else mp.log1p(-ncdf(-x)))
angle = each(uniform(0, 3.14), uniform(-6, 6))
emit("SphHarm.re 8 3", angle, lambda t, p: mp.re(mp.spherharm(8, 3, t, p)))
emit("SphHarm.im 20 7", angle, lambda t, p: mp.im(mp.spherharm(20, 7, t, p)))
out.close()
