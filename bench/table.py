"""Joins what run.sh measured into one table of medians."""
import collections
import pathlib
import statistics
import sys

folder = pathlib.Path(sys.argv[1])
times = {who: collections.defaultdict(list) for who in ("weft", "numpy", "jax")}
allocations = {}
for line in (folder / "weft").read_text().splitlines():
    words = line.split()
    if "cpu-ns/op" in words:
        name = words[0].removeprefix("Benchmark").split("/")[-1]
        times["weft"][name].append(float(words[words.index("cpu-ns/op") - 1]))
        allocations[name] = words[words.index("allocs/op") - 1]
for who in "numpy", "jax":
    for line in (folder / who).read_text().splitlines():
        name, ns = line.split()
        times[who][name].append(float(ns))


def cell(x):
    return "" if x is None else f"{x:.3g}" if x < 1000 else f"{x:,.0f}"


print("| program | Weft, µs | allocations | NumPy, µs | JAX, µs | NumPy : Weft | JAX : Weft |")
print("|---|---|---|---|---|---|---|")
for name, ours in times["weft"].items():
    m = {who: statistics.median(t[name]) / 1e3 if name in t else None for who, t in times.items()}
    ratios = [m[who] and m[who] / m["weft"] for who in ("numpy", "jax")]
    row = [name, cell(m["weft"]), allocations[name], cell(m["numpy"]), cell(m["jax"]), *map(cell, ratios)]
    print("| " + " | ".join(row) + " |")
