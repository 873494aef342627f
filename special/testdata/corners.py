# Writes corners.jsonl: every function of package special at zeros, infinities, NaN, subnormal numbers, poles, ends of
# domains, and tiny and huge arguments and orders, of f64 and of f32. The class of a value (NaN, ±∞, ±0) is SciPy's; a finite
# one is mpmath's of 50 digits where mpmath returns within a fifth of a second, and otherwise SciPy's. "jax" has JAX's values where
# their class is another than SciPy's, by index, but for the incomplete gamma functions: JAX's do not end at the largest numbers.
# Made with Python 3.11, SciPy 1.17.1, mpmath 1.4.1, NumPy 2.4.6, JAX 0.10.2:
#   JAX_ENABLE_X64=1 JAX_PLATFORMS=cpu python corners.py > corners.jsonl
import itertools, json, math, signal
import jax.numpy as jnp, jax.scipy.special as js
import mpmath as mp, numpy as np, scipy.special as sp
mp.mp.dps = 50
inf, nan = math.inf, math.nan

def text(x): return "nan" if x != x else repr(float(x)).removesuffix(".0")
def kind(x): return "nan" if x != x else "zero" + text(x) if x == 0 else text(x) if math.isinf(x) else "finite"

class Late(Exception): pass
def late(*_): raise Late()
signal.signal(signal.SIGVTALRM, late)

def round_to(v, dt):
    try: v = float(v)
    except OverflowError: v = math.copysign(inf, v)
    with np.errstate(all="ignore"): return float(dt(v))

def truth(name, exact, row, scipys, dt):
    """Returns the value at a row, rounded to dt."""
    if exact is None or math.isnan(scipys) or not all(map(math.isfinite, row)): return round_to(scipys, dt)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
    try:
        v = exact(*map(mp.mpf, row))
        if math.isinf(scipys) and name not in ("Gammaln", "BetaLn", "RelEntr", "KlDiv"): return scipys # a pole, or too large
        if isinstance(v, mp.mpc) or not mp.isfinite(v) or v == 0: return round_to(scipys, dt)
        return round_to(v, dt)
    except (Late, ZeroDivisionError, ValueError, OverflowError, TypeError, mp.libmp.NoConvergence):
        return round_to(scipys, dt)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

def emit(name, rows, exact, scipy, jax):
    for dt in (np.float64, np.float32):
        rs, seen = [], set()
        for r in rows:
            r = tuple(float({"sub": np.finfo(dt).smallest_subnormal, "-sub": -np.finfo(dt).smallest_subnormal, "tiny": np.finfo(dt).tiny * 1.5, "-tiny": -np.finfo(dt).tiny * 1.5,
                             "low": np.finfo(dt).tiny / 4, "-low": -np.finfo(dt).tiny / 4,
                             "max": np.finfo(dt).max, "-max": np.finfo(dt).min}[x]) if isinstance(x, str) else float(dt(x)) for x in r)
            key = tuple(map(text, r))
            if key not in seen:
                seen.add(key)
                rs.append(r)
        want, others = [], {}
        with np.errstate(all="ignore"):
            for r in rs: want.append(truth(name, exact, r, float(scipy(*map(np.float64, r))), dt))
        cols = [np.array(c, dt) for c in zip(*rs)]
        ys = want if jax is None else np.asarray(jax(*map(jnp.asarray, cols)), np.float64)
        for i, (w, y) in enumerate(zip(want, ys)):
            if kind(w) != kind(y): others[str(i)] = text(y)
        print(json.dumps({"name": name, "dtype": np.dtype(dt).name, "args": [[text(r[k]) for r in rs] for k in range(len(rs[0]))],
                          "want": [text(w) for w in want], "jax": others}), flush=True)

def moderate(f):
    """Returns f for moderate arguments, for which mpmath is quick; others are SciPy's."""
    def g(*xs):
        if any(x != 0 and not 1e-310 < abs(x) < 2e3 for x in xs): raise ValueError
        return f(*xs)
    return g

def log_beta(a, b):
    if a <= 0 or b <= 0: raise ValueError
    with mp.workdps(70): return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)

def beta(a, b): return mp.exp(log_beta(a, b))

def normal_quantile(p):
    if p == 0.5: raise ValueError
    return mp.findroot(lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) - mp.log(p), mp.mpf(float(sp.ndtri(float(p)))) + mp.mpf(2) ** -60)

def positives(f):
    """Returns f for positive arguments, of which SciPy's ∞ may be an overflow."""
    def g(x, y):
        if x <= 0 or y <= 0: raise ValueError
        return f(x, y)
    return g

def ones(*xs): return [(x,) for x in xs]
edges = ones(0., -0., inf, -inf, nan, "sub", "-sub", "low", "-low", "tiny", "-tiny", "max", "-max", 1e-10, -1e-10, 1., -1.)
mid = edges + ones(0.5, -0.5, 3., -3.)
far = mid + ones(10., -10., 26., 30., -30., 88., -88., 100., -100., 700., 1e4, -1e4, 1e10, -1e10)
poles = far + ones(-2., -2.5, -20.5, -170.5, -171., -1e5, -1e5 - 0.5, 171., 172., 34.5, 2.)
unit = edges + ones(0.5, 0.25, 1 - 2.**-20, 1 - 2.**-24, 1 - 2.**-53, 2., 1 + 2.**-20, 1e-300, 1e-30)
def pairs(xs, ys): return list(itertools.product(xs, ys))
small = [0., -0., inf, -inf, nan, "sub", "tiny", "max", 1e-10, 0.5, 1., 3., -1., -0.5]
positive = [0., -0., inf, -inf, nan, "sub", "tiny", "max", 1e-10, 0.5, 1., 10., 1e5, -1.]

emit("Erf", far, mp.erf, sp.erf, js.erf)
emit("Erfc", far, mp.erfc, sp.erfc, js.erfc)
emit("ErfInv", unit, mp.erfinv, sp.erfinv, js.erfinv)
emit("Gammaln", poles, lambda x: mp.re(mp.loggamma(x)), sp.gammaln, js.gammaln)
emit("GammaSgn", poles, None, sp.gammasgn, js.gammasgn)
emit("Digamma", poles, mp.digamma, sp.digamma, js.digamma)
emit("Polygamma", pairs([0., 1., 2., 10., 100.], [0., inf, nan, "tiny", "max", 1e-3, 0.5, 1., 30., 1e5, 1e10]), moderate(lambda n, x: mp.polygamma(int(n), x)),
     lambda n, x: sp.polygamma(int(n), x), lambda n, x: js.polygamma(n.astype(int), x))
emit("Zeta", pairs([1., 1.0000152587890625, 1.5, 2., 10., 100., 1e4, inf, nan, 0.5, -1.], [0., -0., inf, nan, "tiny", "max", 1e-3, 0.5, 1., 2., 1e5, -1., -0.5, -1.5]), moderate(mp.zeta), sp.zeta, js.zeta)
orders = [x for x in positive if x != "sub"]
emit("GammaInc", pairs(orders, positive), moderate(lambda a, x: mp.gammainc(a, 0, x, regularized=True)), sp.gammainc, None)
emit("GammaIncC", pairs(orders, positive), moderate(lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True)), sp.gammaincc, None)
shape = [0., inf, nan, 1e-10, 0.5, 1., 10., 1e5, -1.]
emit("BetaInc", list(itertools.product(shape, shape, [0., -0., 1., nan, 0.5, 1e-30, 1 - 2.**-20, -0.5, inf])),
     moderate(lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True)), sp.betainc, js.betainc)
sides = [1e10 if x == "max" else x for x in positive if x != "sub"]
emit("BetaLn", pairs(sides, sides), log_beta, sp.betaln, js.betaln)
emit("Beta", pairs(sides, sides), beta, sp.beta, js.beta)
emit("MultiGammaln3", ones(1., inf, nan, 1.5, 2., 10., 1e5, 1e10, "max"), lambda a: mp.mpf(3) / 2 * mp.log(mp.pi) + sum(mp.loggamma(a - mp.mpf(k) / 2) for k in range(3)),
     lambda a: sp.multigammaln(a, 3) if a > 1 and math.isfinite(a) else (inf if a > 1 else nan if a != a else inf), lambda a: js.multigammaln(a, 3))
emit("I0", far, moderate(lambda x: mp.besseli(0, x)), sp.i0, js.i0)
emit("I0e", far, moderate(lambda x: mp.exp(-abs(x)) * mp.besseli(0, x)), sp.i0e, js.i0e)
emit("I1", far, moderate(lambda x: mp.besseli(1, x)), sp.i1, js.i1)
emit("I1e", far, moderate(lambda x: mp.exp(-abs(x)) * mp.besseli(1, x)), sp.i1e, js.i1e)
emit("Xlogy", pairs(small, small), lambda x, y: x * mp.log(y), sp.xlogy, js.xlogy)
emit("Xlog1py", pairs(small, small), lambda x, y: x * mp.log1p(y), sp.xlog1py, js.xlog1py)
emit("Entr", edges, lambda x: -x * mp.log(x), sp.entr, js.entr)
emit("RelEntr", pairs(small, small), positives(lambda x, y: x * mp.log(x / y)), sp.rel_entr, js.rel_entr)
emit("KlDiv", pairs(small, small), positives(lambda x, y: x * mp.log(x / y) - x + y), sp.kl_div, js.kl_div)
emit("Logit", unit, lambda x: mp.log(x / (1 - x)), sp.logit, js.logit)
emit("Expit", far, lambda x: 1 / (1 + mp.exp(-x)), sp.expit, js.expit)
emit("NdTr", far, mp.ncdf, sp.ndtr, js.ndtr)
emit("NdTrI", unit, normal_quantile, sp.ndtri, js.ndtri)
emit("LogNdTr", far, lambda x: mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2) if x > 0 else mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), sp.log_ndtr, js.log_ndtr)
