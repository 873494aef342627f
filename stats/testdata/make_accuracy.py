# Writes accuracy.jsonl.gz: methods of distributions at random points and parameters of f32 and of f64, with the exact values, made with
# mpmath at 60 digits. Values for f64 are sums of two f64. Made with Python 3.11, mpmath 1.4.1, NumPy 2.4.6: python make_accuracy.py
import gzip, json, math
import mpmath as mp, numpy as np
source = open("make_values.py").read()
exec(compile(source[source.index("one, two"):source.index("def correct")], "make_values.py", "exec"))
mp.mp.dps = 60
rng = np.random.default_rng(29)
N = 60

def uniform(lo, hi): return lambda: rng.uniform(lo, hi)
def logs(lo, hi): return lambda: math.exp(rng.uniform(math.log(lo), math.log(hi)))
def whole(lo, hi): return lambda: int(rng.integers(lo, hi))
shape, chance = logs(0.1, 50), uniform(0.01, 0.99)

# The parameters, and a point for them.
draws = {
    "Norm": ({}, lambda p: rng.normal() * 4), "Expon": ({}, lambda p: rng.exponential() * 4),
    "Laplace": ({}, lambda p: rng.normal() * 5), "Logistic": ({}, lambda p: rng.normal() * 8), "Uniform": ({}, lambda p: rng.uniform()),
    "Beta": ({"A": shape, "B": shape}, lambda p: rng.beta(p["A"], p["B"]) if rng.random() < 0.6 else rng.uniform()),
    "Gamma": ({"A": shape}, lambda p: rng.gamma(p["A"]) * math.exp(rng.normal() / 3)),
    "Chi2": ({"DF": shape}, lambda p: rng.chisquare(p["DF"]) * math.exp(rng.normal() / 3)),
    "T": ({"DF": shape}, lambda p: rng.normal() * 4),
    "Bernoulli": ({"P": chance}, lambda p: 0),
    "Binom": ({"N": whole(1, 60), "P": chance}, lambda p: int(rng.integers(0, p["N"]))),
    "Geom": ({"P": chance}, lambda p: int(rng.integers(1, 30))), "Poisson": ({"Mu": logs(0.1, 60)}, lambda p: int(rng.poisson(p["Mu"]))),
}
continuous = ("logpdf", "pdf", "cdf", "logcdf", "sf", "logsf")
methods = {"Bernoulli": ("logpmf", "pmf", "cdf", "sf"), "Binom": ("logpmf", "pmf", "cdf", "sf"), "Poisson": ("logpmf", "pmf", "cdf", "sf"),
           "Geom": ("logpmf", "pmf", "cdf", "logcdf", "sf", "logsf")}
out = gzip.GzipFile("accuracy.jsonl.gz", "wb", mtime=0)
for name, (params, point) in draws.items():
    for dtype in ("float32", "float64"):
        round = (lambda x: float(np.float32(x))) if dtype == "float32" else float
        small = 1e-30 if dtype == "float32" else 1e-280
        rows = []
        while len(rows) < N:
            p = {k: round(d()) for k, d in params.items()}
            x = round(point(p))
            density, below, above = exact[name](mp.mpf(x), {k: mp.mpf(v) for k, v in p.items()})
            if min(density, below, above) > small: rows.append((p, x, density, below, above))
            elif name in ("Bernoulli", "Uniform") and density > 0 and below > 0 and above > 0: rows.append((p, x, density, below, above))
        for m in methods.get(name, continuous):
            want = []
            for p, x, density, below, above in rows:
                v, rest = {"pdf": (density, one), "pmf": (density, one), "cdf": (below, above), "sf": (above, below)}[m.removeprefix("log")]
                if m.startswith("log"): v = mp.log1p(-rest) if rest < half else mp.log(v)
                hi = float(v)
                want.append([repr(hi), "%.6g" % float(v - mp.mpf(hi))] if dtype == "float64" else [repr(hi)])
            out.write((json.dumps({"name": name, "method": m, "dtype": dtype, "params": {k: [repr(r[0][k]) for r in rows] for k in params},
                                   "x": [repr(r[1]) for r in rows], "want": want}) + "\n").encode())
out.close()
