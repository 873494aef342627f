#!/usr/bin/env bash
# Measures Weft and JAX on the same programs on this machine, one after the other,
# and prints medians and their ratio. JAX comes into a virtual environment in
# $VENV (default: a new folder under the system's temporary one).
set -euo pipefail
cd "$(dirname "$0")"
venv=${VENV:-$(mktemp -d)/venv}
if [ ! -x "$venv/bin/python" ]; then
	python3 -m venv "$venv"
	"$venv/bin/pip" -q install jax==0.10.2
fi
JAX_PLATFORMS=cpu "$venv/bin/python" jax_bench.py >jax.out
CGO_ENABLED=0 go test -run '^$' -bench . -benchtime "${BENCHTIME:-0.3s}" -count "${COUNT:-5}" . >weft.out
"$venv/bin/python" - <<'PY'
import collections, statistics
ours, allocs = collections.defaultdict(list), {}
for line in open("weft.out"):
    w = line.split()
    if w and w[0].startswith("Benchmark"):
        name = w[0][len("Benchmark"):].split("-")[0]
        ours[name].append(float(w[2]))
        if "allocs/op" in w:
            allocs[name] = w[w.index("allocs/op") - 1]
print("| program | Weft, µs | allocations | JAX, µs | JAX : Weft |")
print("|---|---|---|---|---|")
for line in open("jax.out"):
    name, ns = line.split()
    m = statistics.median(ours[name])
    print(f"| {name} | {m/1e3:.3g} | {allocs.get(name, '')} | {float(ns)/1e3:.3g} | {float(ns)/m:.1f} |")
PY
rm -f jax.out weft.out
