# Writes corners.jsonl: the methods of distributions of one variable at zeros, infinities, NaN, subnormal numbers, ends of
# supports, and tiny and huge points and parameters, of f64: SciPy's values, and JAX's where they are of another class
# (NaN, ±∞, zero, other) by index.
# Made with Python 3.11, SciPy 1.17.1, NumPy 2.4.6, JAX 0.10.2:
#   JAX_ENABLE_X64=1 JAX_PLATFORMS=cpu python -W ignore corners.py > corners.jsonl
import itertools, json, math
import jax.numpy as jnp, jax.scipy.stats as js
import numpy as np, scipy.stats as sp

inf, nan = math.inf, math.nan
CONTINUOUS = "logpdf pdf cdf logcdf sf logsf"
DISCRETE = "logpmf pmf cdf sf"
X = [0.0, -0.0, 5e-324, 1e-310, 1e-300, 1e-20, 0.5, 1.0, 2.0, 30.0, 745.0, 1e5, 1e20, 1e300, 1.7976931348623157e308, inf, -5e-324, -0.5, -40.0, -1e20, -1e300, -inf, nan]
K = [0.0, -0.0, 0.5, 1.0, 2.0, 3.0, 10.0, 11.0, 1e3, 1e10, 1e300, inf, -1.0, -0.5, -inf, nan]
Q = [0.0, -0.0, 5e-324, 1e-300, 1e-20, 0.25, 0.5, 0.75, 1 - 2.0**-53, 1.0, 1.5, -1e-20, inf, nan]
SHAPE = [0.0, 1e-300, 1e-10, 0.5, 1.0, 2.0, 50.0, 1e5, 1e10, -1.0, inf, nan]
SCALE = [{}, {"Scale": 0.0}, {"Scale": -1.0}, {"Scale": nan}, {"Scale": inf}, {"Loc": inf}, {"Loc": nan}, {"Loc": 1e300, "Scale": 1e300}, {"Scale": 1e-300}]
ONE = [{}]
SHAPES = {"A": "a", "B": "b", "DF": "df", "P": "p", "N": "n", "Mu": "mu", "Loc": "loc", "Scale": "scale"}


def text(x):
    return "nan" if x != x else repr(float(x)).removesuffix(".0")


def scipy(f, x, kw):
    try:
        return float(f(x, **kw))
    except OverflowError: # of the densities of beta, which are too large there
        return inf


def kind(x):
    return "nan" if x != x else "zero" if x == 0 else text(x) if math.isinf(x) else "finite"


def emit(name, methods, xs, params):
    of, jax_of = getattr(sp, name.lower()), getattr(js, name.lower())
    for method in methods.split():
        for p in params:
            points = Q if method == "ppf" else xs
            kw = {SHAPES[k]: np.float64(v) for k, v in p.items()}
            with np.errstate(all="ignore"):
                want = [scipy(getattr(of, method), x, kw) for x in points]
            other = {}
            if hasattr(jax_of, method):
                try:
                    jax = np.asarray(getattr(jax_of, method)(jnp.array(points), **{k: jnp.float64(v) for k, v in kw.items()}))
                    other = {str(i): text(j) for i, (w, j) in enumerate(zip(want, jax)) if kind(w) != kind(j)}
                except (TypeError, ValueError):
                    pass
            print(json.dumps({"Name": name, "Method": method, "Params": {k: text(v) for k, v in p.items()}, "X": [text(x) for x in points],
                              "Want": [text(w) for w in want], "JAX": other}))


def grid(**lists):
    return [dict(zip(lists, v)) for v in itertools.product(*lists.values())]


for name in ("Norm", "Expon", "Laplace", "Logistic", "Uniform"):
    emit(name, CONTINUOUS + " ppf", X, SCALE)
for name, shape in (("Gamma", "A"), ("Chi2", "DF"), ("T", "DF")):
    emit(name, CONTINUOUS, X, grid(**{shape: SHAPE}) + [{shape: 2.0} | s for s in SCALE[1:]])
U = [x for x in X if abs(x) < 1e10 or x != x] + [1 - 2.0**-53, inf]
emit("Beta", CONTINUOUS, U, grid(A=[0.0, 1e-300, 0.5, 1.0, 2.0, 1e5, 1e20, inf, nan, -1.0], B=[1e-10, 1.0, 3.0, 1e10, 1e20]) + [{"A": 2.0, "B": 3.0} | s for s in SCALE[1:]])
P = [0.0, 5e-324, 1e-20, 0.25, 0.5, 1 - 2.0**-53, 1.0, -0.1, 1.5, nan]
emit("Bernoulli", DISCRETE + " ppf", K, grid(P=P))
emit("Geom", DISCRETE + " logcdf logsf ppf", K, grid(P=P))
emit("Binom", DISCRETE, K, grid(N=[0.0, 1.0, 10.0, 1e5, 1e15, -1.0, 2.5, inf, nan], P=P))
emit("Poisson", DISCRETE, K, grid(Mu=[0.0, 5e-324, 1e-20, 0.5, 10.0, 1e5, 1e15, 1e300, -1.0, inf, nan]))
