#!/usr/bin/env bash
# Measures Weft, NumPy and JAX on the same programs on this machine, in turn, and prints
# the medians of their CPU times and the ratios. One thread each, on one core if there is
# taskset. The peers are installed in a virtual environment in $VENV (default: a new folder
# in the system's temporary one). Higher ROUNDS (5) and BENCHTIME (0.1s) make it longer.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
venv=${VENV:-$out/venv}
if [ ! -x "$venv/bin/python" ]; then
	python3 -m venv "$venv"
	"$venv/bin/pip" -q install jax==0.10.2 numpy==2.4.6
fi
one=()
if command -v taskset >/dev/null; then
	one=(taskset -c "${CORE:-0}")
fi
export OPENBLAS_NUM_THREADS=1 JAX_PLATFORMS=cpu XLA_FLAGS=--xla_cpu_multi_thread_eigen=false
CGO_ENABLED=0 go test -c -o "$out/weft.test" .
for _ in $(seq "${ROUNDS:-5}"); do
	"${one[@]}" "$out/weft.test" -test.run '^$' -test.bench . -test.cpu 1 -test.benchtime "${BENCHTIME:-0.1s}" >>"$out/weft"
	for peer in numpy jax; do
		"${one[@]}" "$venv/bin/python" peers.py "$peer" >>"$out/$peer"
	done
done
"$venv/bin/python" table.py "$out"
