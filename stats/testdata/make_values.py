# Writes values.jsonl: methods of distributions at points. Where SciPy's f64 result of a scalar distribution
# is finite and neither 0 nor 1, it is replaced by the exact one, rounded once: SciPy is up to 40 ε off in logarithms.
# Made with Python 3.11, SciPy 1.17.1, mpmath 1.4.1, NumPy 2.4.6: python make_values.py > values.jsonl
import json, math
import mpmath as mp, numpy as np, scipy.stats as st
mp.mp.dps = 60
inf, nan = math.inf, math.nan
def text(x): return "nan" if x != x else repr(float(x))
def flat(a): return [text(v) for v in np.asarray(a, np.float64).ravel()]

one, two, half = mp.mpf(1), mp.mpf(2), mp.mpf(1) / 2
def beta(a, b, x, y): return mp.betainc(a, b, x, y, regularized=True)
def gamma(a, x, y): return mp.gammainc(a, x, y, regularized=True)
def student(v, z):  # the probability below z
    tail = beta(v / 2, half, 0, v / (v + z * z)) / 2
    return tail if z < 0 else 1 - tail
def binom(n, p, k): return mp.binomial(n, k) * p ** k * (1 - p) ** (n - k)

# The density at z, and the probabilities below and above it, of parameters p.
exact = {
    "Norm": lambda z, p: (mp.npdf(z), mp.ncdf(z), mp.ncdf(-z)),
    "Expon": lambda z, p: (mp.exp(-z), -mp.expm1(-z), mp.exp(-z)),
    "Laplace": lambda z, p: (mp.exp(-abs(z)) / 2, mp.exp(z) / 2 if z < 0 else 1 - mp.exp(-z) / 2, mp.exp(-z) / 2 if z > 0 else 1 - mp.exp(z) / 2),
    "Logistic": lambda z, p: (mp.exp(-z) / (1 + mp.exp(-z)) ** 2, 1 / (1 + mp.exp(-z)), 1 / (1 + mp.exp(z))),
    "Uniform": lambda z, p: (one, z, 1 - z),
    "Beta": lambda z, p: (z ** (p["A"] - 1) * (1 - z) ** (p["B"] - 1) / mp.beta(p["A"], p["B"]), beta(p["A"], p["B"], 0, z), beta(p["A"], p["B"], z, 1)),
    "Gamma": lambda z, p: (z ** (p["A"] - 1) * mp.exp(-z) / mp.gamma(p["A"]), gamma(p["A"], 0, z), gamma(p["A"], z, mp.inf)),
    "Chi2": lambda z, p: ((z / 2) ** (p["DF"] / 2 - 1) * mp.exp(-z / 2) / mp.gamma(p["DF"] / 2) / 2, gamma(p["DF"] / 2, 0, z / 2), gamma(p["DF"] / 2, z / 2, mp.inf)),
    "T": lambda z, p: ((1 + z * z / p["DF"]) ** (-(p["DF"] + 1) / 2) / mp.sqrt(p["DF"]) / mp.beta(p["DF"] / 2, half), student(p["DF"], z), student(p["DF"], -z)),
    "Bernoulli": lambda k, p: (p["P"] if k == 1 else 1 - p["P"], 1 - p["P"], p["P"]),
    "Binom": lambda k, p: (binom(p["N"], p["P"], k), sum(binom(p["N"], p["P"], mp.mpf(i)) for i in range(int(mp.floor(k)) + 1)),
                           sum(binom(p["N"], p["P"], mp.mpf(i)) for i in range(int(mp.floor(k)) + 1, int(p["N"]) + 1))),
    "Geom": lambda k, p: ((1 - p["P"]) ** (k - 1) * p["P"], 1 - (1 - p["P"]) ** mp.floor(k), (1 - p["P"]) ** mp.floor(k)),
    "Poisson": lambda k, p: (mp.exp(-p["Mu"]) * p["Mu"] ** k / mp.gamma(k + 1), gamma(mp.floor(k) + 1, p["Mu"], mp.inf), gamma(mp.floor(k) + 1, 0, p["Mu"])),
}

def correct(name, method, params, x, y):
    """Returns the exact number where y, SciPy's, is finite and neither 0 nor 1."""
    if name not in exact or method == "ppf" or not np.isfinite(y) or y in (0, 1): return y
    p = {k: mp.mpf(float(v)) for k, v in params.items()}
    scale = p.get("Scale", one)
    density, below, above = exact[name]((mp.mpf(float(x)) - p.get("Loc", 0)) / scale, p)
    v = {"pdf": density / scale, "pmf": density, "cdf": below, "sf": above}[method.removeprefix("log")]
    if method.startswith("log"):
        rest = {"logcdf": above, "logsf": below}.get(method, one)
        v = mp.log1p(-rest) if rest < half else mp.log(v)
    assert abs(v - y) <= 1e-9 * abs(v), (name, method, params, x, y, v)
    return float(v)

def emit(name, method, dist, params, x):
    x = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        y = np.asarray(getattr(dist, method)(x), np.float64)
    if x.shape == y.shape and x.ndim == 1: y = np.array([correct(name, method, params, u, v) for u, v in zip(x, y)])
    print(json.dumps({"name": name, "method": method, "params": {k: {"shape": list(np.shape(v)), "data": flat(v)} for k, v in params.items()},
                      "x": {"shape": list(x.shape), "data": flat(x)}, "y": {"shape": list(y.shape), "data": flat(y)}}))

wide = [-60., -9.5, -3., -1., -0.1, 0., 0.1, 0.5, 1., 1.9, 3.25, 7., 30., 200., inf, -inf, nan]
probs = [0., 1e-20, 1e-3, 0.05, 0.3, 0.5, 0.75, 0.99, 1., nan, -0.1, 1.1]
def continuous(name, f, sets, ppf=True):
    for ps in sets:
        d = f(**{k.lower(): v for k, v in ps.items()})
        for m in ("logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"): emit(name, m, d, ps, wide)
        if ppf: emit(name, "ppf", d, ps, probs)
ls = [{}, {"Loc": 0.75, "Scale": 2.5}]
continuous("Norm", st.norm, ls)
continuous("Expon", st.expon, ls)
continuous("Laplace", st.laplace, ls)
continuous("Logistic", st.logistic, ls)
continuous("Uniform", st.uniform, ls)
continuous("Beta", st.beta, [{"A": 2.5, "B": 0.75}, {"A": 1., "B": 3., "Loc": -2., "Scale": 6.}], False)
continuous("Gamma", st.gamma, [{"A": 3.5}, {"A": 0.5, "Loc": -2., "Scale": 6.}], False)
continuous("Chi2", st.chi2, [{"DF": 3.}, {"DF": 7.5, "Loc": -2., "Scale": 6.}], False)
continuous("T", st.t, [{"DF": 3.}, {"DF": 30.5, "Loc": -2., "Scale": 6.}], False)
ks = [-3., -1., -0.5, 0., 0.5, 1., 2., 5., 9., 10., 11., 40., nan]
def discrete(name, f, sets, methods):
    for ps in sets:
        d = f(**{k.lower(): v for k, v in ps.items()})
        for m in methods: emit(name, m, d, ps, probs[1:] if m == "ppf" else ks)
discrete("Bernoulli", st.bernoulli, [{"P": 0.3}, {"P": 1.0}], ("logpmf", "pmf", "cdf", "sf", "ppf"))
discrete("Binom", st.binom, [{"N": 10., "P": 0.3}, {"N": 39., "P": 0.875}], ("logpmf", "pmf", "cdf", "sf"))
class Geom:  # whose logcdf is the logarithm of a rounded number in SciPy
    def __init__(self, p): self.p, self.d = p, st.geom(p)
    def __getattr__(self, m): return getattr(self.d, m)
    def logcdf(self, x): return np.array([nan if k != k else -inf if k < 1 else float(mp.log(1 - (1 - mp.mpf(self.p)) ** math.floor(k))) for k in x])
discrete("Geom", Geom, [{"P": 0.3}, {"P": 0.001}], ("logpmf", "pmf", "cdf", "logcdf", "sf", "logsf", "ppf"))
discrete("Poisson", st.poisson, [{"Mu": 3.5}, {"Mu": 20., "Loc": 1.}], ("logpmf", "pmf", "cdf", "sf"))

rng = np.random.default_rng(7)
for n in (1, 4):
    m, a = rng.normal(size=n), rng.normal(size=(n, n))
    cov = a @ a.T + np.eye(n)
    x = rng.normal(size=(5, n)) * 2
    for ps in ({}, {"Mean": m}, {"Mean": m, "Cov": cov}):
        d = st.multivariate_normal(ps.get("Mean", np.zeros(n)), ps.get("Cov", np.eye(n)))
        for meth in ("logpdf", "pdf"): emit("MultivariateNormal", meth, d, ps, x)
class LastAxis:  # SciPy has the components along the first axis
    def __init__(self, d): self.d = d
    def logpdf(self, x): return np.array([self.d.logpdf(v) for v in x])
    def pdf(self, x): return np.array([self.d.pdf(v) for v in x])
for alpha in ([1.5, 2., 0.5], [3., 1., 1., 8.]):
    x = rng.dirichlet(np.ones(len(alpha)), 4)
    for m in ("logpdf", "pdf"): emit("Dirichlet", m, LastAxis(st.dirichlet(alpha)), {"Alpha": alpha}, x)
p = [0.2, 0.5, 0.3]
x = np.array([[2., 3., 1.], [6., 0., 0.], [1., 1., 1.], [0., 2., 4.]])
for m in ("logpmf", "pmf"): emit("Multinomial", m, st.multinomial(6, p), {"N": 6., "P": p}, x)
for ps, pts in (({"Data": rng.normal(size=20)}, rng.normal(size=6)), ({"Data": rng.normal(size=(2, 15))}, rng.normal(size=(2, 6))),
                ({"Data": rng.normal(size=(2, 15)), "Weights": rng.uniform(size=15)}, rng.normal(size=(2, 6)))):
    d = st.gaussian_kde(ps["Data"], weights=ps.get("Weights"))
    for m in ("logpdf", "pdf"): emit("GaussianKDE", m, d, ps, pts)
