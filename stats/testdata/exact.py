# Writes exact.jsonl anew: the corners at which SciPy's values are wrong, with the exact ones, made with mpmath at 60 to 700 digits and rounded
# to f64. The corners are those that the file has. Made with Python 3.11, mpmath 1.4.1: python exact.py
import json
import mpmath as mp
source = open("make_values.py").read()
exec(compile(source[source.index("one, two"):source.index("def correct")], "make_values.py", "exec"))


def log_density(name, z, p):
    if name == "Beta":
        return (p["A"] - 1) * mp.log(z) + (p["B"] - 1) * mp.log1p(-z) - mp.loggamma(p["A"]) - mp.loggamma(p["B"]) + mp.loggamma(p["A"] + p["B"])
    if name == "Binom":
        choose = mp.loggamma(p["N"] + 1) - mp.loggamma(z + 1) - mp.loggamma(p["N"] - z + 1)
        return choose + (z * mp.log(p["P"]) if z else 0) + (p["N"] - z) * mp.log1p(-p["P"])
    if name == "Poisson":
        return z * mp.log(p["Mu"]) - p["Mu"] - mp.loggamma(z + 1)
    return mp.log(exact[name](z, p)[0])


def probability(name, z, p):  # below and above
    if name == "Beta" and p["A"] < 1e-290:
        mp.mp.dps = 700  # the probability below is near 1
        a, b = p["A"], p["B"]
        below = z ** a / a / mp.beta(a, b) * mp.hyp2f1(a, 1 - b, a + 1, z)
        return below, 1 - below
    return exact[name](z, p)[1:]


rows = [json.loads(line) for line in open("exact.jsonl")]
with open("exact.jsonl", "w") as out:
    for r in rows:
        mp.mp.dps = 400
        p = {k: mp.mpf(float(v)) for k, v in r["Params"].items()}
        scale = p.get("Scale", one)
        z, method = (mp.mpf(float(r["X"])) - p.get("Loc", 0)) / scale, r["Method"].removeprefix("log")
        if method in ("pdf", "pmf"):
            v = log_density(r["Name"], z, p) - mp.log(scale)
            v = v if r["Method"].startswith("log") else mp.exp(v)
        else:
            below, above = probability(r["Name"], z, p)
            v = below if method == "cdf" else above
            v = mp.log(v) if r["Method"].startswith("log") else v
        r["Want"] = repr(float(v))
        out.write(json.dumps(r) + "\n")
