# Writes values.jsonl: special functions at arguments that are exact in f32. Finite values are made with
# mpmath at 60 digits and rounded to f64; values at infinities, NaN and poles are SciPy's.
# Made with Python 3.11, mpmath 1.4.1, SciPy 1.17.1, NumPy 2.4.6:
#   python make_values.py > values.jsonl
import json, math
import mpmath as mp, numpy as np, scipy.special as sp
mp.mp.dps = 60
rng = np.random.default_rng(19)
inf, nan = math.inf, math.nan

def f32(xs): return [float(np.float32(x)) for x in xs]
def uniform(lo, hi, n): return f32(rng.uniform(lo, hi, n))
def loguniform(lo, hi, n): return f32(np.exp(rng.uniform(math.log(lo), math.log(hi), n)))
def text(x): return "nan" if x != x else repr(float(x))

def emit(name, rows, exact, corners=(), scipy=None):
    """rows: tuples of arguments whose value is exact(*args); corners: those whose value is SciPy's."""
    want = [float(exact(*map(mp.mpf, r))) for r in rows]
    with np.errstate(all="ignore"):
        want += [float(scipy(*map(np.float64, r))) for r in corners]
    rows = list(rows) + list(corners)
    print(json.dumps({"name": name, "args": [[text(r[k]) for r in rows] for k in range(len(rows[0]))], "want": [text(w) for w in want]}))

def ones(xs): return [(x,) for x in xs]
c1 = ones([inf, -inf, nan])

emit("Erf", ones(uniform(-5, 5, 20)), mp.erf, c1 + ones([0., -0.]), sp.erf)
emit("Erfc", ones(uniform(-5, 9, 20)), mp.erfc, c1, sp.erfc)
emit("ErfInv", ones(uniform(-1, 1, 20)), mp.erfinv, ones([1, -1, 0, nan, 2]), sp.erfinv)
emit("Gammaln", ones(uniform(0.1, 50, 20) + uniform(-5, 0, 8)), lambda x: mp.log(abs(mp.gamma(x))), c1[:1] + c1[2:] + ones([0, -1, -3]), sp.gammaln)
emit("GammaSgn", ones(uniform(-6, 6, 20)), lambda x: mp.sign(mp.gamma(x)), ones([0., -0., -1, -2, inf, nan]), sp.gammasgn)
emit("Digamma", ones(uniform(0.1, 50, 20)), mp.digamma, ones([inf, nan]), sp.digamma)
emit("Polygamma", [(n, x) for n in (1, 2, 3, 7) for x in uniform(0.3, 20, 5)], lambda n, x: mp.polygamma(int(n), x))
emit("Zeta", [(s, q) for s in (1.5, 2, 3.25, 10, 30) for q in loguniform(0.1, 100, 5)], mp.zeta, [(1, 2), (2, 0), (0.5, 2), (nan, 1), (2, nan)], sp.zeta)
grid = [(a, x) for a in loguniform(0.05, 200, 8) for x in (f32([float(a) * r for r in (0.1, 0.7, 1, 1.4, 3)]))]
emit("GammaInc", grid, lambda a, x: mp.gammainc(a, 0, x, regularized=True), [(1, 0), (1, inf), (nan, 1), (1, nan), (0, 1), (1, -1)], sp.gammainc)
emit("GammaIncC", grid, lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), [(1, 0), (1, inf), (nan, 1), (1, nan), (0, 1), (1, -1)], sp.gammaincc)
emit("BetaInc", [(a, b, x) for a in loguniform(0.2, 50, 4) for b in loguniform(0.2, 50, 4) for x in uniform(0.02, 0.98, 3)],
     lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), [(2, 3, 0), (2, 3, 1), (nan, 1, .5), (2, 3, nan)], sp.betainc)
pairs = [(a, b) for a in loguniform(0.05, 2000, 8) for b in loguniform(0.05, 1e5, 6)] + [(1e-3, 50), (9.5, 10.5), (10, 10), (12, 1e10)]
pairs = [tuple(f32(p)) for p in pairs]
emit("BetaLn", pairs, lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b), [(nan, 1), (1, nan), (0, 1)], sp.betaln)
emit("Beta", [p for p in pairs if p[0] + p[1] < 60] + [(-0.5, 2.25), (-1.5, 0.25)], lambda a, b: mp.gamma(a) * mp.gamma(b) / mp.gamma(a + b), [(nan, 1)], sp.beta)
emit("MultiGammaln3", ones(uniform(1.2, 40, 12)), lambda a: mp.mpf(3) / 2 * mp.log(mp.pi) + sum(mp.loggamma(a - mp.mpf(k) / 2) for k in range(3)))
emit("I0", ones(uniform(-40, 40, 16)), lambda x: mp.besseli(0, x), ones([inf, -inf, nan, 0]), sp.i0)
emit("I0e", ones(uniform(-40, 40, 16) + loguniform(50, 1e6, 5)), lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), ones([inf, nan, 0]), sp.i0e)
emit("I1", ones(uniform(-40, 40, 16)), lambda x: mp.besseli(1, x), ones([inf, -inf, nan, 0]), sp.i1)
emit("I1e", ones(uniform(-40, 40, 16) + loguniform(50, 1e6, 5)), lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), ones([inf, nan, 0]), sp.i1e)
pos = loguniform(1e-6, 1e6, 10)
emit("Xlogy", [(x, y) for x in uniform(-3, 3, 4) for y in pos], lambda x, y: x * mp.log(y), [(0, 0), (0, 3), (0, nan), (nan, 1), (1, 0), (0, inf), (1, -1)], sp.xlogy)
emit("Xlog1py", [(x, y) for x in uniform(-3, 3, 4) for y in loguniform(1e-12, 1e6, 10)], lambda x, y: x * mp.log1p(y), [(0, -1), (0, nan), (1, -1)], sp.xlog1py)
emit("Entr", ones(pos + uniform(0, 1, 8)), lambda x: -x * mp.log(x), ones([0, -1, inf, nan]), sp.entr)
emit("RelEntr", [(x, y) for x in pos[:5] for y in pos[5:]], lambda x, y: x * mp.log(x / y), [(0, 0), (0, 1), (1, 0), (-1, 1), (nan, 1), (1, nan), (0, nan)], sp.rel_entr)
emit("KlDiv", [(x, y) for x in pos[:5] for y in pos[5:]], lambda x, y: x * mp.log(x / y) - x + y, [(0, 0), (0, 1), (1, 0), (-1, 1), (nan, 1), (0, inf)], sp.kl_div)
unit = uniform(0, 1, 24) + loguniform(1e-30, 1e-2, 8)
emit("Logit", ones(unit), lambda x: mp.log(x / (1 - x)), ones([0, 1, 0.5, nan, -1, 2]), sp.logit)
emit("Expit", ones(uniform(-30, 30, 16)), lambda x: 1 / (1 + mp.exp(-x)), c1, sp.expit)
emit("NdTr", ones(uniform(-6, 6, 20)), mp.ncdf, c1, sp.ndtr)
def ndtri(p):
    y = mp.findroot(lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) - mp.log(p), mp.mpf(float(sp.ndtri(float(p)))))
    return y
emit("NdTrI", ones(unit), ndtri, ones([0, 1, 0.5, nan, -1, 2]), sp.ndtri)
emit("LogNdTr", ones(uniform(-40, 8, 32) + [-9.9375, -10.0625, -19.9375, -20.0625, -1000]), lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), c1, sp.log_ndtr)
angles = [(t, p) for t in uniform(0, 3.1, 4) for p in uniform(-3, 6, 3)]
for n, m in [(0, 0), (1, 0), (1, 1), (1, -1), (3, 2), (5, -3), (8, 8), (20, 7)]:
    emit("SphHarm.re %d %d" % (n, m), angles, lambda t, p: mp.re(mp.spherharm(n, m, t, p)))
    emit("SphHarm.im %d %d" % (n, m), angles, lambda t, p: mp.im(mp.spherharm(n, m, t, p)))
